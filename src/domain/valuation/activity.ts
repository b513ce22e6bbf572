import { isAtBound } from '../math/price.ts'
import type { PoolState } from '../pool/pool-state.ts'
import { secondsPerDay } from '../time.ts'
import type { UnixSeconds } from '../units.ts'

export const activeSwapMaxAgeSeconds = 7 * secondsPerDay
export const newPoolMaxAgeSeconds = secondsPerDay
export const hotSwapMaxAgeSeconds = 900
export const hotVol1hUsdMin = 1000
export const hotLiquidityUsdMin = 50_000
/** A hot pool stays hot this long after its conditions last held. */
export const hotHoldSeconds = 1800

/**
 * Whether a pool can be traded in and is (methodology §6). `asOfTs` is the indexed head's time:
 * activity is a fact of the index, not of our clock.
 */
export const isActive = (
  pool: Pick<PoolState, 'price' | 'liquidity' | 'lastSwapTs'> & { readonly createdTs: UnixSeconds },
  asOfTs: UnixSeconds,
): boolean => {
  if (pool.price === null || pool.liquidity <= 0n) return false
  if (isAtBound(pool.price.sqrtPriceX96)) return false
  const hasSwapped = pool.lastSwapTs !== null && asOfTs - pool.lastSwapTs <= activeSwapMaxAgeSeconds
  return hasSwapped || asOfTs - pool.createdTs <= newPoolMaxAgeSeconds
}

type Business = {
  readonly active: boolean
  readonly lastSwapTs: UnixSeconds | null
  readonly vol1hUsd: number | null
  readonly liquidityUsd: number | null
  readonly asOfTs: UnixSeconds
}

/** Whether the conditions of `hot` hold at this moment (methodology §6). */
export const meetsHot = (input: Business): boolean => {
  const { lastSwapTs, asOfTs } = input
  if (!input.active || lastSwapTs === null) return false
  if (asOfTs - lastSwapTs > hotSwapMaxAgeSeconds) return false
  return (input.vol1hUsd ?? 0) >= hotVol1hUsdMin || (input.liquidityUsd ?? 0) >= hotLiquidityUsdMin
}

/**
 * `hot` with its hysteresis: active, and the conditions hold or held within the last half hour.
 * The writer looks only now and then whether they do, so the present is not left to its record.
 */
export const isHot = (input: Business & { readonly lastHotTs: UnixSeconds | null }): boolean => {
  const { active, lastHotTs, asOfTs } = input
  const isHeld = lastHotTs !== null && asOfTs - lastHotTs <= hotHoldSeconds
  return active && (isHeld || meetsHot(input))
}

/**
 * The last second of the index's time up to which `active` and `hot` stay as they are at `asOfTs`,
 * unless an event comes: whoever keeps records need not look at quiet pools again before.
 */
export const activityHoldsUntil = (
  pool: {
    readonly createdTs: UnixSeconds
    readonly lastSwapTs: UnixSeconds | null
    readonly lastHotTs: UnixSeconds | null
  },
  asOfTs: UnixSeconds,
): UnixSeconds => {
  const { createdTs, lastSwapTs, lastHotTs } = pool
  const ends = [
    createdTs + newPoolMaxAgeSeconds,
    lastSwapTs === null ? null : lastSwapTs + activeSwapMaxAgeSeconds,
    lastSwapTs === null ? null : lastSwapTs + hotSwapMaxAgeSeconds,
    lastHotTs === null ? null : lastHotTs + hotHoldSeconds,
  ]
  return ends.reduce<number>(
    (first, end) => (end === null || end < asOfTs ? first : Math.min(first, end)),
    Number.POSITIVE_INFINITY,
  )
}
