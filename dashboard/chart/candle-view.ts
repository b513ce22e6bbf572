import type { Candle } from '../../src/client/types.ts'

/*
 * Which candles are in sight. The view holds on to a time, not to a place in the list: candles that
 * are added before or behind it do not move it.
 */

type Timed = Pick<Candle, 'ts'>

/** The last time in sight; null follows the newest candle. */
export type ViewEnd = number | null

/** Numbers of the first and the last candle in sight; before 0 there is none. */
export type Span = { readonly first: number; readonly last: number }

/** The newest candle of that time or before; the oldest if there is none. */
export const placeOf = (candles: readonly Timed[], ts: number): number =>
  Math.max(
    0,
    candles.findLastIndex((candle) => candle.ts <= ts),
  )

/** So many candles up to the view's end, or up to the one with which they are enough. */
export const spanOf = (candles: readonly Timed[], end: ViewEnd, count: number): Span => {
  const newest = candles.length - 1
  const wanted = end === null ? newest : placeOf(candles, end)
  const last = Math.min(newest, Math.max(wanted, count - 1))
  return { first: last - count + 1, last }
}

/** The view that ends at the candle of this number. */
export const endAt = (candles: readonly Timed[], last: number): ViewEnd =>
  last >= candles.length - 1 ? null : (candles[Math.max(0, last)]?.ts ?? null)

/** Moves a view as little as it takes to have a candle in sight. */
export const reveal = (candles: readonly Timed[], { first, last }: Span, at: number): ViewEnd => {
  if (at < first) return endAt(candles, last - (first - at))
  return endAt(candles, Math.max(last, at))
}
