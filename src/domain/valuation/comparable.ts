import type { PoolKind, ReserveSource } from '../view/pool-view.ts'
import type { StatusReason } from '../view/status.ts'

/** A thinner pool's price is set by whoever traded last. */
export const trustedSideUsdMin = 10_000

/** Any of these says that price and reference do not speak of the same moment or thing. */
const disqualifying: readonly StatusReason[] = [
  'market_closed',
  'trading_halt',
  'oracle_paused',
  'multiplier_pending',
  'hook_custom_accounting',
  'reference_conflict',
  'premium_implausible',
]

/** Whether the pool's price may be held against its stock's reference (methodology §6). */
export const isComparable = (input: {
  readonly kind: PoolKind
  readonly active: boolean
  readonly fresh: boolean
  readonly independentReference: boolean
  readonly trustedSideUsd: number | null
  readonly reserveSource: ReserveSource | null
  readonly premiumBps: number | null
  readonly reasons: readonly StatusReason[]
}): boolean =>
  input.kind !== 'meme' &&
  input.active &&
  input.fresh &&
  input.independentReference &&
  input.trustedSideUsd !== null &&
  input.trustedSideUsd >= trustedSideUsdMin &&
  input.reserveSource === 'ticks' &&
  input.premiumBps !== null &&
  !input.reasons.some((reason) => disqualifying.includes(reason))
