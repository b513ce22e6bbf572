import type { Pool, PoolDetail, StreamEvent } from '../../src/client/types.ts'

/*
 * An answer's series moved on by what the stream has told since, as the API itself will have it:
 * swaps make candles, the open bucket ends with the pool's record (docs/api.md).
 */

export type PoolEvent = Extract<StreamEvent, { topic: 'pool' | 'swap' }>
type Row = PoolDetail['series'][number]
type Swap = PoolDetail['swaps'][number]

/** The block that an event tells of. */
export const blockOf = (event: PoolEvent): number =>
  (event.topic === 'swap' ? event.data.block : event.data.asOfBlock) ?? -1

/** Seconds of a bucket; null where one bucket is all there is to tell it from. */
const widthOf = (rows: readonly Row[]): number | null => {
  const [first, second] = rows
  return first === undefined || second === undefined ? null : second.ts - first.ts
}

/** Nothing happened in it: what stood before stands still. */
const carried = ({ close, ...row }: Row, ts: number): Row => ({
  ...row,
  ...{ ts, open: close, high: close, low: close, close },
  ...(row.swaps === null ? {} : { volumeUsd: 0, swaps: 0 }),
  closed: false,
})

/** As many as a series may have: after a longer silence an answer is the better way. */
const openedMax = 600

/** Opens the buckets up to the one that holds the time; false if that would be too many. */
const openUpTo = (rows: Row[], ts: number): boolean => {
  const width = widthOf(rows)
  for (let opened = 0; opened < openedMax; opened++) {
    const last = rows.at(-1)
    if (width === null || last === undefined || last.ts + width > ts) return true
    rows[rows.length - 1] = { ...last, closed: true }
    rows.push(carried(last, last.ts + width))
  }
  return false
}

/** What one stock token costs in the other after a swap, by how the pool's price has moved. */
const priceAfter = ({ sqrtPriceX96 }: Swap, pool: Pool): number | null => {
  if (pool.stockPriceInOther === null || pool.sqrtPriceX96 === null) return null
  const ratio = (Number(sqrtPriceX96) / Number(pool.sqrtPriceX96)) ** 2
  const price = pool.stockPriceInOther * (pool.stockIsToken0 ? ratio : 1 / ratio)
  return Number.isFinite(price) && price > 0 ? price : null
}

/** One side has a reference, the other follows from the pool's price. */
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

/** A swap of nothing is worth nothing; any other without a price leaves the sum unknown. */
const volumeWith = (volumeUsd: number | null, swap: Swap): number | null => {
  const isEmpty = swap.stockAmount === 0 && swap.otherAmount === 0
  const usd = isEmpty ? 0 : swap.amountUsd
  return volumeUsd === null || usd === null ? null : volumeUsd + usd
}

const withSwap = (row: Row, swap: Swap, pool: Pool): Row => {
  // Inside an index gap nothing is known, and one swap more does not change that.
  if (row.swaps === null) return row
  const price = priceAfter(swap, pool)
  // A bucket's first swap makes its candle: what was carried into it was none.
  const before = row.swaps === 0 ? { ...row, open: null, high: null, low: null } : row
  const moved = price === null ? row : { ...pricedAt(before, price), ...dollarsAt(price, pool) }
  return { ...moved, volumeUsd: volumeWith(row.volumeUsd, swap), swaps: row.swaps + 1 }
}

const endedBy = (row: Row, record: Pool): Row => {
  if (row.swaps === null) return row
  const { stockPriceInOther, stockPriceUsd, otherPriceUsd, liquidityUsd } = record
  const moved = stockPriceInOther === null ? row : pricedAt(row, stockPriceInOther)
  const close = stockPriceInOther
  return { ...moved, close, stockPriceInOther, stockPriceUsd, otherPriceUsd, liquidityUsd }
}

const rowAt = (rows: readonly Row[], ts: number): number =>
  rows.findLastIndex((row) => row.ts <= ts)

/** The series with everything that the stream told of later blocks, in the order of its telling. */
export const withNews = (
  { pool: asked, series }: Pick<PoolDetail, 'pool' | 'series'>,
  news: readonly PoolEvent[],
): readonly Row[] => {
  const asOf = asked.asOfBlock ?? -1
  const later = news.filter((event) => blockOf(event) > asOf)
  if (later.length === 0 || series.length === 0) return series
  const rows = [...series]
  let pool = asked
  for (const event of later) {
    const ts = event.topic === 'swap' ? event.data.ts : event.data.stateTs
    if (ts === null) continue
    if (!openUpTo(rows, ts)) return series
    const at = rowAt(rows, ts)
    const row = rows[at]
    if (event.topic === 'pool') pool = event.data
    if (row === undefined) continue
    if (event.topic === 'swap') rows[at] = withSwap(row, event.data, pool)
    else if (at === rows.length - 1) rows[at] = endedBy(row, pool)
  }
  return rows
}
