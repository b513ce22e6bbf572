import { isWithin, type Policy } from '../status/freshness.ts'
import type { UnixSeconds } from '../units.ts'
import type { PoolView, ScreenerCheck } from '../views/pool.ts'

/** What a screener says that both sides of a pool are worth, in US dollars, and when. */
export type ScreenerFigure = { readonly liquidityUsd: number; readonly ts: UnixSeconds }

/** Own prices, fees that were not collected and a minute of cache make up less than a tenth. */
export const screenerAgreesBpsMax = 1000

const product = (amount: number | null, usd: number | null): number | null =>
  amount === null || usd === null ? null : amount * usd

/** Both sides as they are: a screener caps no meme. */
const wholeUsdOf = (pool: PoolView): number | null => {
  if (pool.kind !== 'meme') return pool.liquidityUsd
  const stockUsd = product(pool.stockReserve, pool.stockPriceUsd)
  const otherUsd = product(pool.otherReserve, pool.otherPriceUsd)
  return stockUsd === null || otherUsd === null ? null : stockUsd + otherUsd
}

type Limits = { readonly now: UnixSeconds; readonly policy: Policy }

/** Reserves of the chain only, and of about the same time: a figure can not witness for itself. */
const isFitToCompare = (
  figure: ScreenerFigure,
  pool: PoolView,
  { now, policy }: Limits,
): boolean => {
  const limits = { now, maxSeconds: policy.reserveMaxAgeSeconds }
  const isOurs = pool.reserveSource === 'ticks' || pool.reserveSource === 'balance'
  return isOurs && isWithin(pool.enrichedTs, limits) && isWithin(figure.ts, limits)
}

/** Holds a screener's figure against the pool's record at the same moment (methodology §4). */
export const compareWithScreener = (
  figure: ScreenerFigure | null,
  pool: PoolView,
  limits: Limits,
): ScreenerCheck | null => {
  if (figure === null) return null
  const wholeUsd = wholeUsdOf(pool)
  if (wholeUsd === null || !isFitToCompare(figure, pool, limits)) {
    return { ...figure, differenceBps: null, agrees: null }
  }
  if (wholeUsd === 0) return { ...figure, differenceBps: null, agrees: figure.liquidityUsd === 0 }
  const differenceBps = 10_000 * (figure.liquidityUsd / wholeUsd - 1)
  const isNear =
    Math.abs(figure.liquidityUsd - wholeUsd) * 10_000 <= wholeUsd * screenerAgreesBpsMax
  return Number.isFinite(differenceBps)
    ? { ...figure, differenceBps, agrees: isNear }
    : { ...figure, differenceBps: null, agrees: false }
}
