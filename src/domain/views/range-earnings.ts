import type { PoolId, UnixSeconds } from '../units.ts'
import type { AnswerOrigin } from './swap-quote.ts'

export const rangeReasons = [
  'uninitialised',
  'decimals_unknown',
  'hook_custom_accounting',
  'reserve_rebasing',
  'fee_unknown',
  'swap_unpriced',
  'other_price_missing',
  'too_many_swaps',
  'history_missing',
] as const
/** Why a number of a range is null, or why its window is cut (docs/methodology.md §14). */
export type RangeReason = (typeof rangeReasons)[number]

/** A range as a position can have it: at ticks of the pool's spacing. */
export type LiquidityRange = {
  readonly tickLower: number
  readonly tickUpper: number
  /** Other tokens per stock token, the prices at its ends. */
  readonly priceLower: number
  readonly priceUpper: number
}

/** What a position would have earned since `fromTs`, and what became of its tokens. */
export type RangeWindow = {
  readonly fromTs: UnixSeconds
  readonly toTs: UnixSeconds
  /** Whether `fromTs` is the start of the day or week, or the pool is younger. */
  readonly complete: boolean
  readonly swaps: number
  readonly inRangeShare: number | null
  readonly feesStock: number | null
  readonly feesOther: number | null
  readonly feesUsd: number | null
  readonly feeApr: number | null
  /** Of the tokens put in, if they had been kept; both without fees. */
  readonly heldUsd: number | null
  readonly positionUsd: number | null
  readonly versusHoldingBps: number | null
  readonly netUsd: number | null
  readonly reasons: readonly RangeReason[]
}

export type PoolRangesView = {
  readonly poolId: PoolId
  /** Dollars put in at `fromTs`. */
  readonly usd: number
  /** Null without the decimals of both tokens. */
  readonly range: LiquidityRange | null
  readonly day: RangeWindow
  readonly week: RangeWindow
} & AnswerOrigin
