import { parseAbi } from 'viem'
import type { Rpc } from '../chain/rpc.ts'
import { type Call, mineAt, send } from '../chain/sender.ts'
import { birth } from '../deploy/pools.ts'
import type { Report } from '../progress.ts'
import type { Random } from '../random.ts'
import type { World } from '../world/world.ts'
import { feedMoves, pastPolicy } from './feeds.ts'
import { drain, liquidityMove } from './liquidity.ts'
import { callOf, together } from './moves.ts'
import type { Prices } from './prices.ts'
import { tradeMove } from './trades.ts'

/** A day is told in 720 blocks of two minutes, an hour in 300: a block costs the node 7 ms. */
const blocksAim = 720
const blockSecondsMin = 12
const blockSecondsMax = 120

/** Trades in one past block: some in a transaction of their own, the others together in one. */
const tradesMin = 5
const tradesMax = 11
const tradesAlone = 2

const liquidityChance = 0.35
const strangerChance = 0.03

const reportEvery = 20

const venueAbi = parseAbi([
  'function pretendSwap(int256 amount0, int256 amount1, uint160 sqrtPriceX96)',
])

export type PastInput = {
  readonly rpc: Rpc
  readonly world: World
  readonly prices: Prices
  readonly random: Random
  readonly fromTs: number
  readonly toTs: number
  readonly report: Report
}

/** Lives through a span of past time, block by block. The node must mine by hand. */
export async function makePast(input: PastInput): Promise<void> {
  const { rpc, prices, fromTs, toTs, report } = input
  const span = toTs - fromTs
  const step = Math.min(blockSecondsMax, Math.max(blockSecondsMin, Math.round(span / blocksAim)))
  const total = Math.max(1, Math.floor(span / step))
  for (let block = 1; block <= total; block += 1) {
    const ts = fromTs + block * step
    prices.advance(step)
    await liveThrough(input, ts)
    await mineAt(rpc, ts)
    if (block % reportEvery === 0 || block === total) report({ phase: 'past', done: block, total })
  }
}

/** One past block: first what is due, then trades of several people. */
async function liveThrough(input: PastInput, ts: number): Promise<void> {
  const { rpc, world, prices, random } = input
  const { accounts } = world
  const due = [...program(input, ts), ...feedMoves(world, prices, ts, pastPolicy)]
  if (due.length > 0) await send(rpc, accounts.feedKeeper, together(world, due))
  if (random.chance(liquidityChance)) {
    const moves = liquidityMove(world, prices, random)
    if (moves.length > 0) await send(rpc, accounts.provider, together(world, moves))
  }
  if (random.chance(strangerChance)) await send(rpc, accounts.deployer, pretendedSwap(world))
  const count = Math.floor(random.between(tradesMin, tradesMax))
  const trades = Array.from({ length: count }, () => tradeMove(world, prices, random))
  const [first = accounts.deployer] = accounts.traders
  for (const [index, move] of trades.slice(0, tradesAlone).entries()) {
    await send(rpc, accounts.traders[index + 1] ?? first, move)
  }
  await send(rpc, first, together(world, trades.slice(tradesAlone)))
}

/** Pools whose hour of birth or of drainage has come. */
function program({ world, prices, fromTs, toTs }: PastInput, ts: number): Call[] {
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
    ...born.flatMap((pool) => birth(world, prices, pool, ts)),
    ...drained.flatMap((pool) => {
      pool.drainedTs = ts
      return drain(world, pool)
    }),
  ]
}

/** A strange contract's Swap, as Uniswap v3 would log it. */
export const pretendedSwap = (world: World): Call =>
  callOf(world.contracts.foreignVenue, venueAbi, 'pretendSwap', [
    -(10n ** 18n),
    225_400_000n,
    2n ** 96n,
  ])
