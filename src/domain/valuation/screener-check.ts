import { isWithin, type Policy } from '../status/freshness.ts'
import type { UnixSeconds } from '../units.ts'
import type { PoolView, ScreenerCheck } from '../views/pool.ts'

/** A screener's liquidity of both sides in US dollars, and its time. */
export type ScreenerFigure = { readonly liquidityUsd: number; readonly ts: UnixSeconds }

/** Other prices, uncollected fees and a minute of cache explain less than a tenth. */
export const screenerAgreesBpsMax = 1000

const product = (amount: number | null, usd: number | null): number | null =>
  amount === null || usd === null ? null : amount * usd

/** Both sides uncapped, because a screener does not cap memes. */
const fullUsdOf = (pool: PoolView): number | null => {
  if (pool.kind !== 'meme') return pool.liquidityUsd
  const stockUsd = product(pool.stockReserve, pool.stockPriceUsd)
  const otherUsd = product(pool.otherReserve, pool.otherPriceUsd)
  return stockUsd === null || otherUsd === null ? null : stockUsd + otherUsd
}

type Limits = { readonly now: UnixSeconds; readonly policy: Policy }

/** Requires on-chain reserves of about the same time: a screener cannot confirm its own figure. */
const isFitToCompare = (
  figure: ScreenerFigure,
  pool: PoolView,
  { now, policy }: Limits,
): boolean => {
  const limits = { now, maxSeconds: policy.reserveMaxAgeSeconds }
  const isOnchain = pool.reserveSource === 'ticks' || pool.reserveSource === 'balance'
  return isOnchain && isWithin(pool.enrichedTs, limits) && isWithin(figure.ts, limits)
}

/** Compares a screener's figure with the pool at the same time (methodology §4). */
export const compareWithScreener = (
  figure: ScreenerFigure | null,
  pool: PoolView,
  limits: Limits,
): ScreenerCheck | null => {
  if (figure === null) return null
  const fullUsd = fullUsdOf(pool)
  if (fullUsd === null || !isFitToCompare(figure, pool, limits)) {
    return { ...figure, differenceBps: null, agrees: null }
  }
  if (fullUsd === 0) return { ...figure, differenceBps: null, agrees: figure.liquidityUsd === 0 }
  const differenceBps = 10_000 * (figure.liquidityUsd / fullUsd - 1)
  const isNear = Math.abs(figure.liquidityUsd - fullUsd) * 10_000 <= fullUsd * screenerAgreesBpsMax
  return Number.isFinite(differenceBps)
    ? { ...figure, differenceBps, agrees: isNear }
    : { ...figure, differenceBps: null, agrees: false }
}
