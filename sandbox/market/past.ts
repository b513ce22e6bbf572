import { type Address, parseAbi } from 'viem'
import type { Rpc } from '../chain/rpc.ts'
import { type Call, mineAt, sendBatch, type Transaction } from '../chain/sender.ts'
import { createPoolCalls } from '../deploy/pools.ts'
import type { Report } from '../progress.ts'
import { createRandom, type Random, seedFor } from '../random.ts'
import type { World } from '../world/world.ts'
import { changeAlgebraSettings } from './algebra-settings.ts'
import { bundleCalls, encodeCall } from './calls.ts'
import { dueFeedAnswers, pastPolicy } from './feeds.ts'
import { drainPool, drawLiquidityCalls } from './liquidity.ts'
import type { Prices } from './prices.ts'
import { changeProtocolFee } from './protocol-fees.ts'
import { type DrawnTrade, drawTrade } from './trades.ts'
import { createWashBots } from './wash-bots.ts'

/** A day has 720 blocks of two minutes, an hour has 300; a block costs the node 7 ms. */
const blocksAim = 720
const blockSecondsMin = 12
const blockSecondsMax = 120

/** Trades per block: a few in separate transactions, the others bundled in one. */
const tradesMin = 5
const tradesMax = 11
const tradesSeparate = 2

const liquidityChance = 0.35
/** Of each bot, a purchase and a sale. */
const washRounds = 40
const foreignSwapEvery = 30

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

/** Generates past blocks. The node must not mine by itself. */
export async function generatePast(input: PastOptions): Promise<void> {
  const { rpc, world, prices, fromTs, toTs, report } = input
  const span = toTs - fromTs
  const step = Math.min(blockSecondsMax, Math.max(blockSecondsMin, Math.round(span / blocksAim)))
  const total = Math.max(1, Math.floor(span / step))
  const washes = createPastWashing(input, total)
  let mined: Promise<unknown> = Promise.resolve()
  for (let block = 1; block <= total; block += 1) {
    const ts = fromTs + block * step
    prices.advance(step)
    // Prepared while the node still executes the previous block.
    const owned = deployerCalls(world, block, total)
    const own = blockTransactions(input, { ts, block }, owned)
    const transactions = [...own, ...washes(block)]
    await mined
    await sendBatch(rpc, transactions)
    mined = mineAt(rpc, ts)
    if (block % reportEvery === 0 || block === total) report({ phase: 'past', done: block, total })
  }
  await mined
}

/** Transactions of one past block: scheduled calls first, then trades of several accounts. */
function blockTransactions(
  input: PastOptions,
  { ts, block }: { readonly ts: number; readonly block: number },
  owned: readonly Call[],
): Transaction[] {
  const { world, prices, random } = input
  const { deployer, feedKeeper, provider, traders } = world.accounts
  const scheduled = [...scheduledCalls(input, ts), ...dueFeedAnswers(world, prices, ts, pastPolicy)]
  const provided = random.chance(liquidityChance) ? drawLiquidityCalls(world, prices, random) : []
  const count = Math.floor(random.between(tradesMin, tradesMax))
  const trades = Array.from({ length: count }, () => drawTrade(world, prices, random))
  const separate = trades.slice(0, tradesSeparate)
  const [busy = deployer, ...others] = traders
  return [
    ...bundled(world, feedKeeper, scheduled),
    ...bundled(world, provider, provided),
    ...owned.map((call) => ({ from: deployer, call })),
    ...separate.map(({ call }, index) => ({
      from: others[(block * tradesSeparate + index) % others.length] ?? busy,
      call,
    })),
    ...bundled(world, busy, oncePerPool(trades.slice(tradesSeparate))),
  ]
}

/** At most one in a block: no account sends two transactions. */
function deployerCalls(world: World, block: number, total: number): Call[] {
  const half = Math.ceil(total / 2)
  const changes = [changeProtocolFee(world), ...changeAlgebraSettings(world)][block - half]
  if (changes) return [changes]
  return block % foreignSwapEvery === 1 ? [foreignSwap(world)] : []
}

/** An honest trader has no reason to trade a pool twice at once. */
function oncePerPool(trades: readonly DrawnTrade[]): readonly Call[] {
  return [...new Map(trades.map(({ pool, call }) => [pool, call])).values()]
}

/** Bots take turns in two blocks of every few, so often in a past of any length. */
function createPastWashing({ world, prices }: PastOptions, total: number) {
  const random = createRandom(seedFor(world.settings.seed, 'wash'))
  const bots = createWashBots({ world, prices, random })
  const every = Math.max(2, Math.floor(total / washRounds))
  return (block: number): readonly Transaction[] => ((block - 1) % every < 2 ? bots.turn() : [])
}

const bundled = (world: World, from: Address, calls: readonly Call[]): Transaction[] =>
  calls.length > 0 ? [{ from, call: bundleCalls(world, calls) }] : []

/** Calls for pools that are due to be created or drained. */
function scheduledCalls({ world, prices, fromTs, toTs }: PastOptions, ts: number): Call[] {
  const share = (ts - fromTs) / (toTs - fromTs)
  const due = world.pools.filter((pool) => pool.createdTs === null && pool.spec.bornAt <= share)
  const drained = world.pools.filter(
    ({ spec, createdTs, drainedTs }) =>
      spec.drainedAt !== null &&
      createdTs !== null &&
      drainedTs === null &&
      spec.drainedAt <= share,
  )
  return [
    ...due.flatMap((pool) => createPoolCalls(world, prices, pool, ts)),
    ...drained.flatMap((pool) => {
      pool.drainedTs = ts
      return drainPool(world, pool)
    }),
  ]
}

/** A Swap log of a contract that is no Uniswap pool. */
export const foreignSwap = (world: World): Call =>
  encodeCall(world.contracts.foreignVenue, venueAbi, 'pretendSwap', [
    -(10n ** 18n),
    225_400_000n,
    2n ** 96n,
  ])
