import { readFileSync } from 'node:fs'
import type { Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '../../src/cli/clock.ts'
import { toReviewedHooks, toStandardOf, toVenues } from '../../src/cli/compose/network.ts'
import { resolveConfig } from '../../src/config/config.ts'
import { policyDefault } from '../../src/domain/status/freshness.ts'
import type { PoolId } from '../../src/domain/units.ts'
import type { PoolView } from '../../src/domain/views/pool.ts'
import type { PoolRangesView } from '../../src/domain/views/range-earnings.ts'
import { createMarket, type SyncedMarket } from '../../src/market/create-market.ts'
import { positionAmounts } from '../support/domain/position-amounts.ts'
import { type IndexedSandbox, openIndexedSandbox } from './indexed-sandbox.ts'
import {
  createPools,
  fundPools,
  type ProvidedPool,
  paidTo,
  planPools,
  type Step,
  tradeAndProvide,
} from './provided-pools.ts'
import type { Receipt } from './quiet-sandbox.ts'

/*
 * What liquidity providers earn, by our figures and by the real contracts: a position is minted,
 * swaps cross its range, and its fees are collected (docs/methodology.md §14).
 */

/** The published bound. */
const bound = 0.001
const say = (): void => {}

type PlayedSwap = ReturnType<typeof swapIn> & {
  readonly ts: number
  /** Raw fees of both tokens that the full range then collected. */
  readonly base: readonly [number, number]
}

type Watched = ProvidedPool & {
  readonly row: PoolView
  readonly ranges: PoolRangesView
  /** Raw fees that the contracts paid to the position, of token0 and token1. */
  readonly paid: readonly [number, number]
  /** Each swap by its log. */
  readonly swaps: readonly PlayedSwap[]
}

let sandbox: IndexedSandbox
let market: SyncedMarket
let watched: readonly Watched[] = []

const openMarket = (): SyncedMarket => {
  const text = readFileSync(sandbox.networkFile, 'utf8')
  const config = resolveConfig({ role: 'index', args: [], environment: {} }, text)
  if (!config.ok) throw new Error(config.fault)
  const { network } = config.value
  return createMarket({
    store: sandbox.store,
    clock: systemClock,
    logger: { debug: say, info: say, warn: say, error: say },
    policy: policyDefault,
    trusted: network.trustedQuotes,
    reviewedHooks: toReviewedHooks(network),
    venues: toVenues(network),
    standardOf: toStandardOf(network),
    methodologyVersion: '',
    network,
    isScreenerEnabled: false,
  })
}

const swapTopics = new Set([
  '0xc42079f94a6350d7e6235f29174924f928cc2ac818eb64fed8004e115fbcca67',
  '0x19b47279256b2a23a1665c810c8d55a1758940ee09377d4f8d26497a3577dc83',
  '0x40e9cecb9f5f1f1c5b9c97dec2917b7ee92e57ba5563708daca94dd84ad7112f',
])

/** The first five words of a swap are the same in all of these protocols, but for signs. */
const swapIn = ({ logs }: Receipt) => {
  const log = logs.find(({ topics }) => swapTopics.has(topics[0]))
  const word = (at: number): number =>
    Number(BigInt.asIntN(256, BigInt(`0x${log?.data.slice(2 + at * 64, 66 + at * 64) ?? '0'}`)))
  return { amount0: word(0), amount1: word(1), root: word(2) / 2 ** 96, tick: word(4) }
}

const timeOf = async (receipt: Receipt): Promise<number> => {
  const block = await sandbox.rpc.call<{ timestamp: Hex }>(
    'eth_getBlockByNumber',
    receipt.blockNumber,
    false,
  )
  return Number(block.timestamp)
}

/** Raw amounts of both tokens that a transaction paid out. */
const collectedIn = ({ pool }: ProvidedPool, receipt: Receipt): readonly [number, number] => {
  const paid = paidTo(sandbox.manifest.contracts.router, receipt)
  const { currency0, currency1 } = pool.key
  return [Number(paid.get(currency0) ?? 0n), Number(paid.get(currency1) ?? 0n)]
}

/** The receipts of one pool, by the steps. */
type Played = readonly { readonly kind: Step['kind']; readonly receipt: Receipt }[]

const watch = async (provided: ProvidedPool, played: Played): Promise<Watched> => {
  const { pool, position } = provided
  const id = pool.id as PoolId
  const [bottom, top] = [position.tickLower, position.tickUpper].map((tick) => {
    const raw = 1.0001 ** tick
    return provided.isUsdToken1 ? raw * 1e12 : 1e12 / raw
  })
  const [lower = 0, upper = 0] = [bottom ?? 0, top ?? 0].toSorted((a, b) => a - b)
  const detail = await market.pool(id, '24h')
  const ranges = await market.ranges(id, { lower, upper, usd: 1 })
  if (detail === null || ranges === null) throw new Error(`${id} is not indexed`)
  const swaps: PlayedSwap[] = []
  for (const [at, { kind, receipt }] of played.entries()) {
    const next = played[at + 1]
    if (kind !== 'swap' || next === undefined) continue
    const base = collectedIn(provided, next.receipt)
    swaps.push({ ...swapIn(receipt), ts: await timeOf(receipt), base })
  }
  const paid = collectedIn(provided, played.at(-1)?.receipt as Receipt)
  return { ...provided, row: detail.pool, ranges, swaps, paid }
}

/** Opens the pools, trades in them and watches what their providers get. */
const playAll = async (): Promise<readonly Watched[]> => {
  const { pools } = await sandbox.readPools()
  const provided = planPools(sandbox, pools)
  await sandbox.transact(createPools(sandbox, provided))
  await sandbox.transact(fundPools(sandbox, provided))
  const charged = provided.find(({ pool }) => pool.spec.version === 'v4')
  if (charged === undefined) throw new Error('no v4 pool')
  await sandbox.transact([sandbox.protocolFeeCall(charged.pool, 1000 | (250 << 12))])
  const blocks: { kind: Step['kind']; receipts: readonly Receipt[] }[] = []
  for (const { kind, calls } of tradeAndProvide(sandbox, provided)) {
    blocks.push({ kind, receipts: await sandbox.transact(calls) })
  }
  await sandbox.readPools()
  market = openMarket()
  await market.refresh()
  return Promise.all(
    provided.map((each, index) =>
      watch(
        each,
        blocks.map(({ kind, receipts }) => ({ kind, receipt: receipts[index] as Receipt })),
      ),
    ),
  )
}

beforeAll(async () => {
  sandbox = await openIndexedSandbox()
  watched = await playAll()
}, 120_000)
afterAll(async () => {
  await market?.stop()
  await sandbox?.close()
})

/** Of the position that the contracts hold, by what the answer says of one of a dollar. */
const timesOf = ({ pool, position, liquidity, ranges, row, isUsdToken1 }: Watched): number => {
  const now = BigInt(row.sqrtPriceX96 ?? 0)
  const { amount0, amount1 } = positionAmounts({ ...position, liquidity }, now)
  const [usd, stock] = isUsdToken1 ? [amount1, amount0] : [amount0, amount1]
  expect([ranges.range?.tickLower, ranges.range?.tickUpper]).toEqual([
    position.tickLower,
    position.tickUpper,
  ])
  const worth =
    (Number(usd) / 1e6) * (row.otherPriceUsd ?? 0) +
    (Number(stock) / 1e18) * (row.stockPriceUsd ?? 0)
  expect(pool.id).toBe(ranges.poolId)
  return worth / (ranges.day.positionUsd ?? 0)
}

const names = ['v3, protocol fee', 'v3', 'v4, protocol fee', 'PancakeSwap v3', 'Algebra Integral']

/** What of the LP fee the protocol leaves, of token0 and token1. */
const shares: readonly (readonly [number, number])[] = [
  [3 / 4, 5 / 6],
  [1, 1],
  [0.999, 0.99975],
  [0.66, 0.66],
  [1, 1],
]

describe.each(names.map((name, index) => [name, index] as const))('%s', (_, index) => {
  const own = (): Watched => watched[index] as Watched
  const within = (figure: number, contracts: number): void => {
    expect(contracts).toBeGreaterThan(0)
    expect(Math.abs(figure / contracts - 1)).toBeLessThan(bound)
  }

  test('the fees of the day and the week are those that the contracts paid', () => {
    const { ranges, paid, isUsdToken1 } = own()
    const times = timesOf(own())
    for (const window of [ranges.day, ranges.week]) {
      expect([window.complete, window.reasons]).toEqual([true, []])
      const [usd = 0, stock = 0] = isUsdToken1 ? paid.toReversed() : paid
      within((window.feesOther ?? 0) * times, usd / 1e6)
      within((window.feesStock ?? 0) * times, stock / 1e18)
    }
  })

  test('the time in range is that of the ticks in the logs', () => {
    const { ranges, swaps, position } = own()
    const { fromTs, toTs, inRangeShare } = ranges.day
    expect(fromTs).toBe(swaps[0]?.ts)
    let inside = 0
    for (const [at, { ts, tick }] of swaps.entries()) {
      const isInside = tick >= position.tickLower && tick < position.tickUpper
      if (isInside) inside += (swaps[at + 1]?.ts ?? toTs) - ts
    }
    expect(inRangeShare).toBeCloseTo(inside / (toTs - fromTs), 9)
    expect(swaps.some(({ tick }) => tick < position.tickLower || tick >= position.tickUpper)).toBe(
      true,
    )
  })

  test('the value against holding is that of the amounts that the contracts mint and burn', () => {
    const { ranges, position, liquidity, row, sqrtPriceX96, isUsdToken1 } = own()
    const now = BigInt(row.sqrtPriceX96 ?? 0)
    const price = (Number(now) / 2 ** 96) ** 2
    const [minted, burnt] = [sqrtPriceX96, now].map((at) => {
      const { amount0, amount1 } = positionAmounts({ ...position, liquidity }, at)
      return Number(amount1) + Number(amount0) * price
    })
    const bps = 10_000 * ((burnt ?? 0) / (minted ?? 1) - 1)
    // The swap of ten dollars before the position was minted moved the price by a basis point.
    expect(Math.abs((ranges.day.versusHoldingBps ?? 0) - bps)).toBeLessThan(1)
    const { heldUsd, positionUsd } = ranges.day
    within((positionUsd ?? 0) / (heldUsd ?? 0), 1 + bps / 10_000)
    expect(isUsdToken1).toBe(row.stockIsToken0)
  })

  test('the rate of the row is what the contracts paid by the dollar in a range of 10 %', () => {
    const { row, swaps, sqrtPriceX96, baseLiquidity, isUsdToken1 } = own()
    const worth = 2 * (1 - 1 / Math.sqrt(1.1))
    let before = Number(sqrtPriceX96) / 2 ** 96
    let sum = 0
    for (const { root, base, amount0, amount1 } of swaps) {
      const middle = Math.sqrt(before * root)
      const [fees0 = 0, fees1 = 0] = base.map((raw) => raw / Number(baseLiquidity))
      const alone = (fees1 / middle + fees0 * middle) / worth
      const usd = (Math.abs(isUsdToken1 ? amount1 : amount0) / 1e6) * (row.otherPriceUsd ?? 0)
      const fees = usd * (row.fee / 1e6) * (shares[index]?.[root < before ? 0 : 1] ?? 0)
      sum += fees / (fees / alone + 1_000)
      before = root
    }
    within((row.feeApr24h ?? 0) / 365, sum)
  })
})
