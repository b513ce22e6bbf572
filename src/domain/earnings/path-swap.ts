import { microPerUsd, type StoredSwap } from '../pool/stored-rows.ts'
import { lpFeeParts, type PaidSwap, wholeFeeOf } from './lp-fee.ts'
import { type Roots, rootOf } from './range-position.ts'

/** A swap as what ranges earn follows from it, in numbers: raw amounts, √prices, parts of one. */
export type PathSwap = {
  readonly ts: number
  readonly before: number
  readonly after: number
  readonly amount0: number
  readonly amount1: number
  /** In range after the swap. */
  readonly liquidity: number
  readonly wholeFee: number | null
  readonly lpPart: number | null
  readonly usd: number | null
}

/** At most so many swaps of a pool, the newest, are added up: half a second of work. */
export const rangeSwapsMax = 50_000

/** `before`: √price (Q64.96) of the swap before. */
export const toPathSwap = (swap: StoredSwap, before: bigint, pool: PaidSwap['pool']): PathSwap => ({
  ts: swap.ts,
  before: rootOf(before),
  after: rootOf(swap.sqrtPriceX96),
  amount0: Number(swap.amount0),
  amount1: Number(swap.amount1),
  liquidity: Number(swap.liquidity),
  wholeFee: wholeFeeOf({ pool, fee: swap.fee }),
  lpPart: swap.lpFee === null ? null : swap.lpFee / lpFeeParts,
  usd: swap.usdMicro === null ? null : swap.usdMicro / microPerUsd,
})

/** Fees of one swap: raw, of the token paid, and in dollars. */
export type SwapFeesEarned = {
  readonly raw: number
  readonly isToken0: boolean
  readonly usd: number | null
}

/**
 * What liquidity in a range would have earned by a swap (docs/methodology.md §14): of its LP fees
 * the part of its path inside the range, shared with the liquidity that was there. That is the
 * input without fee by the length of the path: where ticks were crossed, their mean along it. Null
 * if the fee is not known.
 */
export const feesOf = (
  swap: PathSwap,
  { lower, upper }: Roots,
  liquidity: number,
): SwapFeesEarned | null => {
  const { before, after, amount0, amount1, wholeFee, lpPart } = swap
  if (wholeFee === null || lpPart === null) return null
  const isToken0 = amount0 > 0
  const input = Math.max(0, isToken0 ? amount0 : amount1)
  const lengthOf = (from: number, to: number): number => {
    if (to <= from) return 0
    return isToken0 ? 1 / from - 1 / to : to - from
  }
  const [low, high] = [Math.min(before, after), Math.max(before, after)]
  const whole = lengthOf(low, high)
  const inside = lengthOf(Math.max(low, lower), Math.min(high, upper))
  const isInside = after >= lower && after < upper
  const part = whole > 0 ? inside / whole : Number(isInside)
  const others = whole > 0 ? (input * (1 - wholeFee)) / whole : swap.liquidity
  const share = part === 0 ? 0 : (part * liquidity) / (others + liquidity)
  const raw = input * lpPart * share
  return { raw, isToken0, usd: swap.usd === null ? null : swap.usd * lpPart * share }
}
