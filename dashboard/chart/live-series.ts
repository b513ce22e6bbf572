import type { Pool, PoolDetail, StreamEvent } from '../../src/client/types.ts'

/*
 * Applies stream events to the series of a response, by the API's own rules: swaps update candles,
 * and the open bucket closes with the pool's latest state (docs/api.md).
 */

export type PoolEvent = Extract<StreamEvent, { topic: 'pool' | 'swap' }>
type Row = PoolDetail['series'][number]
export type Swap = PoolDetail['swaps'][number]

/** The block of an event. */
export const blockOf = (event: PoolEvent): number =>
  (event.topic === 'swap' ? event.data.block : event.data.asOfBlock) ?? -1

/** Seconds per present bucket (earlier ones may be wider); null with fewer than two buckets. */
const widthOf = (rows: readonly Row[]): number | null => {
  const [first, second] = rows.slice(-2)
  return first === undefined || second === undefined ? null : second.ts - first.ts
}

/** A bucket without swaps, which repeats the previous close. */
const emptyBucket = ({ close, ...row }: Row, ts: number): Row => ({
  ...row,
  ...{ ts, open: close, high: close, low: close, close },
  ...(row.swaps === null ? {} : { volumeUsd: 0, swaps: 0 }),
  closed: false,
})

/** Maximum buckets of a series; after a longer pause the next response replaces it. */
const openedMax = 600

/** Appends buckets up to the given time; false if there would be too many. */
const openUpTo = (rows: Row[], ts: number): boolean => {
  const width = widthOf(rows)
  for (let opened = 0; opened < openedMax; opened++) {
    const last = rows.at(-1)
    if (width === null || last === undefined || last.ts + width > ts) return true
    rows[rows.length - 1] = { ...last, closed: true }
    rows.push(emptyBucket(last, last.ts + width))
  }
  return false
}

/** Stock price in the other token after a swap, scaled by the change of the pool's price. */
export const priceAfter = ({ sqrtPriceX96 }: Swap, pool: Pool): number | null => {
  if (pool.stockPriceInOther === null || pool.sqrtPriceX96 === null) return null
  const ratio = (Number(sqrtPriceX96) / Number(pool.sqrtPriceX96)) ** 2
  const price = pool.stockPriceInOther * (pool.stockIsToken0 ? ratio : 1 / ratio)
  return Number.isFinite(price) && price > 0 ? price : null
}

/** One side has a reference price; the other follows from the pool's price. */
const dollarsAt = (price: number, { kind, stockPriceUsd, otherPriceUsd }: Pool) =>
  kind === 'meme'
    ? { stockPriceUsd, otherPriceUsd: stockPriceUsd === null ? null : stockPriceUsd / price }
    : { stockPriceUsd: otherPriceUsd === null ? null : price * otherPriceUsd, otherPriceUsd }

const pricedAt = (row: Row, price: number): Row => ({
  ...row,
  open: row.open ?? price,
  high: Math.max(row.high ?? price, price),
  low: Math.min(row.low ?? price, price),
  close: price,
  stockPriceInOther: price,
})

/** An empty swap adds 0; any other swap without a price makes the volume unknown. */
export const volumeWith = (volumeUsd: number | null, swap: Swap): number | null => {
  const isEmpty = swap.stockAmount === 0 && swap.otherAmount === 0
  const usd = isEmpty ? 0 : swap.amountUsd
  return volumeUsd === null || usd === null ? null : volumeUsd + usd
}

const withSwap = (row: Row, swap: Swap, pool: Pool): Row => {
  // Inside an index gap the counts stay unknown.
  if (row.swaps === null) return row
  const price = priceAfter(swap, pool)
  // The first swap of a bucket starts its candle; the repeated close does not count.
  const before = row.swaps === 0 ? { ...row, open: null, high: null, low: null } : row
  const updated = price === null ? row : { ...pricedAt(before, price), ...dollarsAt(price, pool) }
  return { ...updated, volumeUsd: volumeWith(row.volumeUsd, swap), swaps: row.swaps + 1 }
}

const closedBy = (row: Row, latest: Pool): Row => {
  if (row.swaps === null) return row
  const { stockPriceInOther, stockPriceUsd, otherPriceUsd, liquidityUsd } = latest
  const updated = stockPriceInOther === null ? row : pricedAt(row, stockPriceInOther)
  const close = stockPriceInOther
  return { ...updated, close, stockPriceInOther, stockPriceUsd, otherPriceUsd, liquidityUsd }
}

const rowAt = (rows: readonly Row[], ts: number): number =>
  rows.findLastIndex((row) => row.ts <= ts)

/** Applies the events of later blocks to the series, in the order of arrival. */
export const applyEvents = (
  { pool: fetched, series }: Pick<PoolDetail, 'pool' | 'series'>,
  events: readonly PoolEvent[],
): readonly Row[] => {
  const asOf = fetched.asOfBlock ?? -1
  const later = events.filter((event) => blockOf(event) > asOf)
  if (later.length === 0 || series.length === 0) return series
  const rows = [...series]
  let pool = fetched
  for (const event of later) {
    const ts = event.topic === 'swap' ? event.data.ts : event.data.stateTs
    if (ts === null) continue
    if (!openUpTo(rows, ts)) return series
    const at = rowAt(rows, ts)
    const row = rows[at]
    if (event.topic === 'pool') pool = event.data
    if (row === undefined) continue
    if (event.topic === 'swap') rows[at] = withSwap(row, event.data, pool)
    else if (at === rows.length - 1) rows[at] = closedBy(row, pool)
  }
  return rows
}
