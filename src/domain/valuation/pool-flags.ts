import { isAtBound } from '../math/pool-price.ts'
import type { PoolState } from '../pool/pool-state.ts'
import type { StatusReason } from '../status/data-status.ts'
import { secondsPerDay } from '../time.ts'
import type { UnixSeconds } from '../units.ts'
import type { PoolKind, ReserveSource } from '../views/pool.ts'

export const activeSwapMaxAgeSeconds = 7 * secondsPerDay
export const newPoolMaxAgeSeconds = secondsPerDay
export const hotSwapMaxAgeSeconds = 900
export const hotVol1hUsdMin = 1000
export const hotLiquidityUsdMin = 50_000
/** A hot pool stays hot this long after its conditions last held. */
export const hotHoldSeconds = 1800

/**
 * Whether a pool is tradable and trading (methodology §6). `asOfTs` is the cursor's time: activity
 * depends on the index, not on our clock.
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

type Activity = {
  readonly active: boolean
  readonly lastSwapTs: UnixSeconds | null
  readonly vol1hUsd: number | null
  readonly liquidityUsd: number | null
  readonly asOfTs: UnixSeconds
}

/** Whether the conditions of `hot` hold now (methodology §6). */
export const meetsHotConditions = (input: Activity): boolean => {
  const { lastSwapTs, asOfTs } = input
  if (!input.active || lastSwapTs === null) return false
  if (asOfTs - lastSwapTs > hotSwapMaxAgeSeconds) return false
  return (input.vol1hUsd ?? 0) >= hotVol1hUsdMin || (input.liquidityUsd ?? 0) >= hotLiquidityUsdMin
}

/**
 * `hot` with its hysteresis: active, and the conditions hold now or held within the last half hour.
 * Present conditions are checked too, because the indexer records `lastHotTs` only periodically.
 */
export const isHot = (input: Activity & { readonly lastHotTs: UnixSeconds | null }): boolean => {
  const { active, lastHotTs, asOfTs } = input
  const isHeld = lastHotTs !== null && asOfTs - lastHotTs <= hotHoldSeconds
  return active && (isHeld || meetsHotConditions(input))
}

/**
 * The last second of the index's time up to which `active` and `hot` keep their values of `asOfTs`
 * without an event: until then quiet pools need no new valuation.
 */
export const activityValidUntil = (
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

/** A single trade sets the price of a pool with less depth. */
export const comparableDepthUsdMin = 10_000

/** Whether a pool that could be compared is known to have too little depth. */
export const isThin = (kind: PoolKind, depthUsd: number | null): boolean =>
  kind !== 'meme' && depthUsd !== null && depthUsd < comparableDepthUsdMin

/** Within twice the fee of the last trade a price may be anything; in hundredths of a bip. */
export const comparableFeeMax = 50_000

export const isFeeExcessive = (fee: number | null): boolean =>
  fee !== null && fee > comparableFeeMax

/** With any of these, price and reference may differ in time or in what they price. */
const disqualifying: readonly StatusReason[] = [
  'market_closed',
  'trading_halt',
  'oracle_paused',
  'multiplier_pending',
  'hook_custom_accounting',
  'reference_conflict',
  'premium_implausible',
  'depth_thin',
  'fee_excessive',
  'hook_unreviewed',
  'quote_unconfirmed',
  'multiplier_old',
  'reserve_short',
  'reserve_rebasing',
]

/** Whether the pool's price may be compared with its stock's reference (methodology §6). */
export const isComparable = (input: {
  readonly kind: PoolKind
  readonly active: boolean
  readonly fresh: boolean
  readonly independentReference: boolean
  readonly depthUsd: number | null
  readonly reserveSource: ReserveSource | null
  /** Hundredths of a bip; null while a dynamic fee is unknown. */
  readonly fee: number | null
  readonly premiumBps: number | null
  readonly reasons: readonly StatusReason[]
}): boolean =>
  input.kind !== 'meme' &&
  input.active &&
  input.fresh &&
  input.independentReference &&
  input.depthUsd !== null &&
  input.reserveSource === 'ticks' &&
  input.fee !== null &&
  input.premiumBps !== null &&
  !input.reasons.some((reason) => disqualifying.includes(reason))

export type SideValues = {
  readonly stockReserve: number | null
  readonly otherReserve: number | null
  readonly stockRefUsd: number | null
  readonly otherPriceUsd: number | null
}

/** Dollars of an amount; an amount of 0 is worth 0 at any price, even an unknown one. */
export const worthOf = (amount: number | null, usd: number | null): number | null => {
  if (amount === 0) return 0
  return amount === null || usd === null ? null : amount * usd
}

/**
 * Dollars in the pool (methodology §4): both sides by independent references; in a meme pool the
 * meme's side counts at most as much as the stock's, so a one-sided launch is worth nothing.
 * Null when a needed input is null; an empty side is 0 at any price.
 */
export const computeLiquidityUsd = (kind: PoolKind, sides: SideValues): number | null => {
  const stockUsd = worthOf(sides.stockReserve, sides.stockRefUsd)
  if (kind === 'meme' && stockUsd === 0) return 0
  const otherUsd = worthOf(sides.otherReserve, sides.otherPriceUsd)
  if (stockUsd === null || otherUsd === null) return null
  const sum = stockUsd + (kind === 'meme' ? Math.min(otherUsd, stockUsd) : otherUsd)
  return Number.isFinite(sum) ? sum : null
}

/** With any of these the price need not be one at which others can trade. */
const unrepresentative: readonly StatusReason[] = [
  'hook_unreviewed',
  'fee_excessive',
  'premium_implausible',
]

/** Whether the pool may be its stock's best pool while none is comparable (methodology §6). */
export const mayRepresentStock = (input: {
  readonly kind: PoolKind
  readonly active: boolean
  readonly stockPriceUsd: number | null
  readonly reasons: readonly StatusReason[]
}): boolean =>
  input.kind === 'canonical' &&
  input.active &&
  input.stockPriceUsd !== null &&
  !input.reasons.some((reason) => unrepresentative.includes(reason))
