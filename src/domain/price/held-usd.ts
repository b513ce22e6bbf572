import type { RawAmounts } from '../pool/pool-state.ts'
import type { TrackedPool } from '../pool/tracked-pool.ts'
import { rawPrice } from '../series/candles.ts'

/** Dollars of each side's reserve; null for a side without a price of its own. */
export type SidesUsd = { readonly usd0: number | null; readonly usd1: number | null }

/** A side that the pool's own price values, which counts at most as much as the other side. */
const capped = (otherUsd: number, shareOfOther: number): number =>
  otherUsd === 0 ? 0 : otherUsd * Math.min(1, shareOfOther)

/**
 * Dollars of what a pool holds (methodology §5). A side without a price counts by the pool's price,
 * but at most as much as the other: that price and the supply of a meme are free to choose.
 */
export const computeHeldUsd = (
  { state }: Pick<TrackedPool, 'state'>,
  { amount0, amount1 }: RawAmounts,
  { usd0, usd1 }: SidesUsd,
): number | null => {
  if (usd0 !== null && usd1 !== null) return usd0 + usd1
  const price = state.price === null ? 0 : rawPrice(state.price.sqrtPriceX96)
  const side0By1 = (Number(amount0) * price) / Number(amount1)
  if (usd0 !== null) return usd0 + capped(usd0, 1 / side0By1)
  return usd1 === null ? null : usd1 + capped(usd1, side0By1)
}
