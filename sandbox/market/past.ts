import { type Address, parseAbi } from 'viem'
import type { Rpc } from '../chain/rpc.ts'
import { type Call, mineAt, sendBatch, type Transaction } from '../chain/sender.ts'
import { createPoolCalls } from '../deploy/pools.ts'
import type { Report } from '../progress.ts'
import type { Random } from '../random.ts'
import type { World } from '../world/world.ts'
import { bundleCalls, encodeCall } from './calls.ts'
import { dueFeedAnswers, pastPolicy } from './feeds.ts'
import { drainPool, drawLiquidityCalls } from './liquidity.ts'
import type { Prices } from './prices.ts'
import { drawTrade } from './trades.ts'

/** A day is told in 720 blocks of two minutes, an hour in 300: a block costs the node 7 ms. */
const blocksAim = 720
const blockSecondsMin = 12
const blockSecondsMax = 120

/** Trades in one past block: a few in transactions of their own, the others together in one. */
const tradesMin = 5
const tradesMax = 11
const tradesAlone = 2

const liquidityChance = 0.35
const strangerEvery = 30

const reportEvery = 20

const venueAbi = parseAbi([
  'function pretendSwap(int256 amount0, int256 amount1, uint160 sqrtPriceX96)',
])

export type PastOptions = {
  readonly rpc: Rpc
  readonly world: World
  readonly prices: Prices
  readonly random: Random
  readonly fromTs: number
  readonly toTs: number
  readonly report: Report
}

/** Lives through a span of past time, block by block. The node must mine by hand. */
export async function generatePast(input: PastOptions): Promise<void> {
  const { rpc, prices, fromTs, toTs, report } = input
  const span = toTs - fromTs
  const step = Math.min(blockSecondsMax, Math.max(blockSecondsMin, Math.round(span / blocksAim)))
  const total = Math.max(1, Math.floor(span / step))
  let mined: Promise<unknown> = Promise.resolve()
  for (let block = 1; block <= total; block += 1) {
    const ts = fromTs + block * step
    prices.advance(step)
    // Thought out while the node still works on the block before.
    const sendings = happenings(input, ts, block)
    await mined
    await sendBatch(rpc, sendings)
    mined = mineAt(rpc, ts)
    if (block % reportEvery === 0 || block === total) report({ phase: 'past', done: block, total })
  }
  await mined
}

/** What everybody does in one past block: first what is due, then trades of several people. */
function happenings(input: PastOptions, ts: number, block: number): Transaction[] {
  const { world, prices, random } = input
  const { deployer, feedKeeper, provider, traders } = world.accounts
  const due = [...program(input, ts), ...dueFeedAnswers(world, prices, ts, pastPolicy)]
  const provided = random.chance(liquidityChance) ? drawLiquidityCalls(world, prices, random) : []
  const strange = block % strangerEvery === 1 ? [foreignSwap(world)] : []
  const count = Math.floor(random.between(tradesMin, tradesMax))
  const trades = Array.from({ length: count }, () => drawTrade(world, prices, random))
  const alone = trades.slice(0, tradesAlone)
  const [busy = deployer, ...others] = traders
  return [
    ...inOne(world, feedKeeper, due),
    ...inOne(world, provider, provided),
    ...strange.map((call) => ({ from: deployer, call })),
    ...alone.map((call, index) => ({ from: others[index] ?? busy, call })),
    ...inOne(world, busy, trades.slice(tradesAlone)),
  ]
}

const inOne = (world: World, from: Address, calls: readonly Call[]): Transaction[] =>
  calls.length > 0 ? [{ from, call: bundleCalls(world, calls) }] : []

/** Pools whose hour of birth or of drainage has come. */
function program({ world, prices, fromTs, toTs }: PastOptions, ts: number): Call[] {
  const share = (ts - fromTs) / (toTs - fromTs)
  const born = world.pools.filter((pool) => pool.createdTs === null && pool.spec.bornAt <= share)
  const drained = world.pools.filter(
    ({ spec, createdTs, drainedTs }) =>
      spec.drainedAt !== null &&
      createdTs !== null &&
      drainedTs === null &&
      spec.drainedAt <= share,
  )
  return [
    ...born.flatMap((pool) => createPoolCalls(world, prices, pool, ts)),
    ...drained.flatMap((pool) => {
      pool.drainedTs = ts
      return drainPool(world, pool)
    }),
  ]
}

/** A strange contract's Swap, as Uniswap v3 would log it. */
export const foreignSwap = (world: World): Call =>
  encodeCall(world.contracts.foreignVenue, venueAbi, 'pretendSwap', [
    -(10n ** 18n),
    225_400_000n,
    2n ** 96n,
  ])
