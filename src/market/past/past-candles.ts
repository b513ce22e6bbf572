import { type Candle, type CandleWidth, candleWidths } from '../../domain/pool/stored-rows.ts'
import type { TrackedPool } from '../../domain/pool/tracked-pool.ts'
import { flatCandle, mergeCandles, rawPrice, withSwap } from '../../domain/series/candles.ts'
import type { IndexGap } from '../../domain/series/fill-buckets.ts'
import type { KeptRows, Layer } from '../../domain/series/kept-rows.ts'
import { bucketStart } from '../../domain/series/series-range.ts'
import { secondsPerDay, secondsPerHour, secondsPerMinute } from '../../domain/time.ts'
import type { UnixSeconds } from '../../domain/units.ts'
import type { StoreSnapshot } from '../../ports/store.ts'
import type { StoredPoolSeries } from '../queries/series.ts'
import type { PastBlock } from './resolve-block.ts'

/** The candles that were open at a block, as they were then; null if their parts are not kept. */
type OpenCandles = readonly Candle[] | null

type Given = { readonly pool: TrackedPool; readonly at: PastBlock }

/** Null without a swap: a minute in which only liquidity changed says nothing that a view lacks. */
const readMinute = async (
  snapshot: StoreSnapshot,
  { pool, at: { block } }: Given,
  stored: Candle,
): Promise<Candle | null> => {
  const newestFirst = await snapshot.swaps({
    pool: pool.identity.number,
    fromTs: stored.ts,
    toBlock: block,
    rowsMax: stored.swaps,
  })
  const last = newestFirst[0]
  if (last === undefined) return null
  const flat = flatCandle(pool, rawPrice(last.sqrtPriceX96), stored.ts)
  return newestFirst.reduceRight(withSwap, flat)
}

const join = (parts: readonly Candle[], width: CandleWidth, ts: UnixSeconds): readonly Candle[] =>
  parts.length === 0 ? [] : [{ ...parts.reduce(mergeCandles), width, ts }]

const countSwaps = (rows: readonly Candle[]): number =>
  rows.reduce((sum, { swaps }) => sum + swaps, 0)

export const readOpenCandles = async (
  snapshot: StoreSnapshot,
  given: Given,
): Promise<OpenCandles> => {
  const { ts } = given.at.timed
  const pool = given.pool.identity.number
  const [hourTs, dayTs] = [bucketStart(ts, secondsPerHour), bucketStart(ts, secondsPerDay)]
  const read = async (width: CandleWidth, fromTs: UnixSeconds, seconds: number) =>
    (await snapshot.candles({ pool, width, fromTs, toTs: fromTs + seconds - 1 })).rows
  const minutes = await read(secondsPerMinute, hourTs, secondsPerHour)
  const hours = await read(secondsPerHour, dayTs, secondsPerDay)
  const storedHour = hours.find((hour) => hour.ts === hourTs)
  if (storedHour !== undefined && countSwaps(minutes) !== storedHour.swaps) return null
  const minuteTs = bucketStart(ts, secondsPerMinute)
  const stored = minutes.find((minute) => minute.ts === minuteTs)
  const open = stored === undefined ? null : await readMinute(snapshot, given, stored)
  const minute = open === null ? [] : [open]
  const earlier = minutes.filter((each) => each.ts < minuteTs)
  const hour = join([...earlier, ...minute], secondsPerHour, hourTs)
  const day = join([...hours.filter((each) => each.ts < hourTs), ...hour], secondsPerDay, dayTs)
  return [...minute, ...hour, ...day]
}

const cutLayer = (
  { rows, before }: Layer<Candle>,
  width: CandleWidth,
  { ts, open }: { readonly ts: UnixSeconds; readonly open: readonly Candle[] },
): Layer<Candle> => ({
  before,
  rows: [
    ...rows.filter((row) => row.ts < bucketStart(ts, width)),
    ...open.filter((candle) => candle.width === width),
  ],
})

const cutRows = (
  { minutes, hours, days, countOf }: KeptRows<Candle>,
  cut: { readonly ts: UnixSeconds; readonly open: readonly Candle[] },
): KeptRows<Candle> => {
  const [ofMinute, ofHour, ofDay] = candleWidths
  return {
    minutes: minutes && cutLayer(minutes, ofMinute, cut),
    hours: hours && cutLayer(hours, ofHour, cut),
    days: cutLayer(days, ofDay, cut),
    countOf,
  }
}

/** The stored rows of a series as they were at a block, and whether all of them are kept. */
export const cutSeriesAt = async (
  snapshot: StoreSnapshot,
  series: StoredPoolSeries,
  given: Given,
): Promise<{ readonly series: StoredPoolSeries; readonly isKept: boolean }> => {
  const { ts } = given.at.timed
  const open = await readOpenCandles(snapshot, given)
  const candles = cutRows(series.candles, { ts, open: open ?? [] })
  if (open !== null) return { series: { ...series, candles }, isKept: true }
  // Days are joined from hours.
  const fromTs = bucketStart(ts, series.candles.hours === null ? secondsPerDay : secondsPerHour)
  const gap: IndexGap = { fromTs, toTs: ts + 1 }
  return { series: { ...series, candles, gaps: [...series.gaps, gap] }, isKept: false }
}
