import type { Hex } from 'viem'
import type { PoolSeriesRow, PoolView } from '../../../src/domain/views/pool.ts'
import type { Decimals } from './contracts.ts'
import type { ChainEvent } from './events.ts'
import { approx, inverse, token1PerToken0 } from './exact.ts'
import { createReplay, principalOf, type Replayed, tickRowsOf } from './replay.ts'
import type { StoredSwap } from './stored.ts'

/*
 * A pool's series recomputed: each bucket from its own swaps and from the pool as its logs had
 * made it when the bucket ended (docs/api.md, docs/methodology.md §2 to §5).
 */

const minute = 60
const hour = 3600
const day = 86_400

const rules: Readonly<Record<string, { readonly width: number; readonly rows: number }>> = {
  '1h': { width: minute, rows: 60 },
  '6h': { width: minute, rows: 360 },
  '24h': { width: 5 * minute, rows: 288 },
  '7d': { width: 30 * minute, rows: 336 },
  '30d': { width: 2 * hour, rows: 360 },
  '90d': { width: 4 * hour, rows: 540 },
}
const allWidths = [1, 2, 4, 6, 12, 24, 72, 168].map((hours) => hours * hour)
const rowsMax = 600

export type Buckets = {
  /** Seconds. */
  readonly width: number
  /** Starts, ascending; the last one holds the head. */
  readonly starts: readonly number[]
}

/** The buckets that a range must have. */
export const bucketsOf = (range: string, createdTs: number, headTs: number): Buckets => {
  const startsFor = (width: number, rows: number): readonly number[] => {
    const last = Math.floor(headTs / width) * width
    const first = Math.max(last - (rows - 1) * width, Math.floor(createdTs / width) * width)
    return Array.from({ length: (last - first) / width + 1 }, (_, index) => first + index * width)
  }
  const rule = rules[range]
  if (rule !== undefined) return { width: rule.width, starts: startsFor(rule.width, rule.rows) }
  const width = allWidths.find((each) => startsFor(each, Number.MAX_SAFE_INTEGER).length <= rowsMax)
  return { width: width ?? 7 * day, starts: startsFor(width ?? 7 * day, rowsMax) }
}

/** The widest of the kept widths (minutes, hours, days) that the bucket is made of. */
export const keptWidthOf = (width: number): number =>
  [day, hour, minute].find((kept) => width % kept === 0) ?? minute

type Counted = Omit<PoolSeriesRow, 'stockPriceInOther'> & {
  /** How far `liquidityUsd` may be off, for reserves are rounded down to whole units. */
  readonly liquiditySlackUsd: number
}

/** The last reference of a token before a moment; null if there was none. */
export type UsdBefore = (token: Hex, ts: number) => number | null

type Sight = {
  readonly record: PoolView
  readonly decimals: Decimals
  readonly usdBefore: UsdBefore
}

const sqrtPriceLeast = 4_295_128_740n
const sqrtPriceMost = 1_461_446_703_485_210_103_287_273_052_203_988_822_378_723_970_341n

/** Other tokens for one stock token; null where the price says nothing. */
const priceOf = (sqrtPriceX96: bigint | null, { record, decimals }: Sight): number | null => {
  const [scale0, scale1] = [decimals.get(record.token0), decimals.get(record.token1)]
  if (sqrtPriceX96 === null || scale0 == null || scale1 == null) return null
  if (sqrtPriceX96 <= sqrtPriceLeast || sqrtPriceX96 >= sqrtPriceMost) return null
  const price = token1PerToken0(sqrtPriceX96, scale0, scale1)
  return approx(record.stockIsToken0 ? price : inverse(price))
}

const times = (a: number | null, b: number | null): number | null =>
  a === 0 || b === 0 ? 0 : a === null || b === null ? null : a * b

/** Both sides' dollar prices by the anchor of the kind. */
const dollarsOf = (price: number | null, endTs: number, { record, usdBefore }: Sight) => {
  const stockUsd = usdBefore(record.stockAddress, endTs)
  if (record.kind === 'meme') {
    const isImplied = stockUsd !== null && price !== null
    const otherPriceUsd = isImplied ? stockUsd / price : null
    return { stockUsd, stockPriceUsd: stockUsd, otherPriceUsd }
  }
  const otherPriceUsd = usdBefore(record.otherAddress, endTs)
  const stockPriceUsd = price === null ? null : times(price, otherPriceUsd)
  return { stockUsd, stockPriceUsd, otherPriceUsd }
}

const liquidityOf = (
  pool: Replayed | undefined,
  usd: { readonly stockUsd: number | null; readonly otherPriceUsd: number | null },
  { record, decimals }: Sight,
) => {
  const nothing = { liquidityUsd: null, liquiditySlackUsd: 0 }
  const takesShares = (Number.parseInt(record.hooks?.slice(-1) ?? '0', 16) & 0b1111) !== 0
  if (pool === undefined || pool.sqrtPriceX96 === null || takesShares) return nothing
  const held = principalOf(pool)
  const units = tickRowsOf(pool).length
  const sideOf = (token: Hex, index: 0 | 1, price: number | null) => {
    const scale = decimals.get(token)
    if (scale == null) return null
    const unitUsd = (price ?? 0) / 10 ** scale
    const worth = times(Math.floor(approx(held[index])) / 10 ** scale, price)
    return { worth, slack: units * unitUsd }
  }
  const [stock, other] = record.stockIsToken0 ? ([0, 1] as const) : ([1, 0] as const)
  const stockSide = sideOf(record.stockAddress, stock, usd.stockUsd)
  const otherSide = sideOf(record.otherAddress, other, usd.otherPriceUsd)
  if (record.kind === 'meme' && stockSide?.worth === 0) return { ...nothing, liquidityUsd: 0 }
  if (stockSide?.worth == null || otherSide?.worth == null) return nothing
  const isMeme = record.kind === 'meme'
  const capped = isMeme ? Math.min(otherSide.worth, stockSide.worth) : otherSide.worth
  const liquiditySlackUsd = 2 * stockSide.slack + otherSide.slack
  return { liquidityUsd: stockSide.worth + capped, liquiditySlackUsd }
}

/** The rows that a series must have, from a pool's own events up to the head, in order. */
export const recountSeries = (
  { width, starts }: Buckets,
  sight: Sight,
  {
    events,
    swaps,
  }: { readonly events: readonly ChainEvent[]; readonly swaps: readonly StoredSwap[] },
): readonly Counted[] => {
  const replay = createReplay()
  let next = 0
  return starts.map((ts, index) => {
    const endTs = ts + width
    for (let event = events[next]; event !== undefined && event.ts < endTs; event = events[next]) {
      replay.apply(event)
      next += 1
    }
    const pool = replay.pools.get(sight.record.id)
    const own = swaps.filter((swap) => swap.ts >= ts && swap.ts < endTs)
    const last = priceOf(pool?.sqrtPriceX96 ?? null, sight)
    const prices = own
      .map((swap) => priceOf(swap.sqrtPriceX96, sight))
      .filter((each) => each !== null)
    const isUnpriced = own.some(({ usdMicro }) => usdMicro === null)
    const micro = own.reduce((sum, { usdMicro }) => sum + (usdMicro ?? 0), 0)
    const { stockUsd, ...dollars } = dollarsOf(last, endTs, sight)
    return {
      ts,
      open: prices[0] ?? last,
      high: prices.length === 0 ? last : Math.max(...prices),
      low: prices.length === 0 ? last : Math.min(...prices),
      close: last,
      ...dollars,
      ...liquidityOf(pool, { stockUsd, otherPriceUsd: dollars.otherPriceUsd }, sight),
      volumeUsd: isUnpriced ? null : micro / 1e6,
      swaps: own.length,
      closed: index < starts.length - 1,
    }
  })
}
