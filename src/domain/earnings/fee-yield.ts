import { microPerUsd } from '../pool/stored-rows.ts'
import { lpFeeParts } from './lp-fee.ts'

/** The range that a dollar of liquidity is counted in: so far above the price, and as far below. */
export const yieldRangeBps = 1_000
/** These dollars of one's own are counted among the dollars in range. */
export const yieldOwnUsd = 1_000
/** Stored yields are integers of this many to the whole, so that sums are exact in any order. */
export const feeYieldParts = 1_000_000_000_000
/** One swap counts at most this much, which is all that was in range. */
const feeYieldMax = feeYieldParts

/** Of liquidity 1 at √price 1, both tokens: 2 · (1 − 1/√(1 + range)). */
const valueInRange = 2 * (1 - 1 / Math.sqrt(1 + yieldRangeBps / 10_000))

/** One swap, with all that its yield follows from. */
export type YieldingSwap = {
  /** √price (Q64.96) before the swap; null if it is not known. */
  readonly beforeX96: bigint | null
  readonly sqrtPriceX96: bigint
  /** The whole fee, a part of one of the input; null if unknown. */
  readonly wholeFee: number | null
  /** In `lpFeeParts`; null if unknown. */
  readonly lpFee: number | null
  /** Millionths of a dollar; null if unknown. */
  readonly usdMicro: number | null
}

/**
 * What a dollar in range earned by a swap, in `feeYieldParts` (docs/methodology.md §14); null if
 * fee, price or value are not known. From √price s to t liquidity L takes L · |t − s| of token1 in
 * or as much of token0, so that its fees by its worth do not depend on L: φ · |t − s| / √(s · t)
 * over `valueInRange`, with φ = LP fee / (1 − whole fee). Dollars of the swap's fees turn that into
 * the dollars that were in range, to which `yieldOwnUsd` are added.
 */
export const feeYieldOf = (swap: YieldingSwap): number | null => {
  const { beforeX96, sqrtPriceX96, wholeFee, lpFee, usdMicro } = swap
  if (wholeFee === null || lpFee === null || usdMicro === null) return null
  const part = lpFee / lpFeeParts
  const feeUsd = (usdMicro / microPerUsd) * part
  // Also where the price before is not known, as of a first swap whose `Initialize` is not stored.
  if (feeUsd === 0 || wholeFee >= 1) return 0
  if (beforeX96 === null) return null
  if (beforeX96 === sqrtPriceX96) return 0
  const moved = Math.abs(Number(sqrtPriceX96 - beforeX96))
  const path = moved / Math.sqrt(Number(beforeX96)) / Math.sqrt(Number(sqrtPriceX96))
  const alone = ((part / (1 - wholeFee)) * path) / valueInRange
  const result = feeUsd / (feeUsd / alone + yieldOwnUsd)
  return Math.min(feeYieldMax, Math.round(result * feeYieldParts))
}
