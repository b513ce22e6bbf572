import { toApprox } from '../math/pool-price.ts'

const bpsOfOne = 10_000n

/**
 * How much less an output is than the input at a pool's price: basis points from 0 to 10,000, by
 * exact integers until the last division. Null for an input of nothing. Raw amounts.
 */
export const lossBps = (
  { amountIn, amountOut }: { readonly amountIn: bigint; readonly amountOut: bigint },
  sqrtPriceX96: bigint,
  zeroForOne: boolean,
): number | null => {
  if (amountIn === 0n) return null
  const squared = sqrtPriceX96 * sqrtPriceX96
  const [atPrice, received] = zeroForOne
    ? [amountIn * squared, amountOut << 192n]
    : [amountIn << 192n, amountOut * squared]
  // The contracts round for the pool, so that no output exceeds its input at the price.
  const lost = atPrice > received ? atPrice - received : 0n
  return toApprox({ numerator: lost * bpsOfOne, denominator: atPrice })
}
