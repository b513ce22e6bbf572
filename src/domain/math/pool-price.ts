import { known, type Reading, unknown } from '../reading.ts'
import { sqrtPriceMaxX96, sqrtPriceMinX96 } from './tick-math.ts'

/** An exact quotient of two non-negative integers. */
export type Ratio = { readonly numerator: bigint; readonly denominator: bigint }

/** Tokens with more decimals have no price (docs/methodology.md §2). */
export const decimalsMax = 36

const powersOfTen: readonly bigint[] = Array.from(
  { length: decimalsMax + 1 },
  (_, exponent) => 10n ** BigInt(exponent),
)
const powersOfTenApprox: readonly number[] = powersOfTen.map(Number)

const atDecimals = <T>(powers: readonly T[], decimals: number): T => {
  const power = powers[decimals]
  if (power === undefined) throw new RangeError(`${decimals} decimals are out of range`)
  return power
}

/**
 * Whole token1 per whole token0, exact: (√P / 2^96)² · 10^(decimals0 − decimals1)
 * (docs/methodology.md §2).
 * @throws RangeError for decimals outside 0..36: without decimals there is no price.
 */
export const priceRatio = (sqrtPriceX96: bigint, decimals0: number, decimals1: number): Ratio => ({
  numerator: sqrtPriceX96 * sqrtPriceX96 * atDecimals(powersOfTen, decimals0),
  denominator: atDecimals(powersOfTen, decimals1) << 192n,
})

export const invertRatio = ({ numerator, denominator }: Ratio): Ratio => ({
  numerator: denominator,
  denominator: numerator,
})

/**
 * The only conversion from an exact ratio to a number: within 3 · 2^-53 of the truth (15
 * significant digits), for every price that a pool can have, from 10^-75 to 10^75.
 * @throws RangeError for a denominator of zero, or operands of more than 1,023 bits (the largest
 * price has 440): bugs, where a NaN or an Infinity would travel on.
 */
export const toApprox = ({ numerator, denominator }: Ratio): number => {
  const value = Number(numerator) / Number(denominator)
  if (!Number.isFinite(value)) throw new RangeError('ratio is not a finite number')
  return value
}

/**
 * Whole tokens of a raw amount of either sign, within 2 · 2^-53 of the truth up to 22 decimals
 * and 3 · 2^-53 above.
 * @throws RangeError for decimals outside 0..36.
 */
export const amountToApprox = (raw: bigint | number, decimals: number): number =>
  Number(raw) / atDecimals(powersOfTenApprox, decimals)

/**
 * Whether a pool is at the end of its range, where its price is meaningless. Swaps must end
 * strictly inside TickMath's bounds (v3 `SPL`, v4 `PriceLimitOutOfBounds`), so the last
 * prices that they reach are one step from them.
 */
export const isAtBound = (sqrtPriceX96: bigint): boolean =>
  sqrtPriceX96 <= sqrtPriceMinX96 + 1n || sqrtPriceX96 >= sqrtPriceMaxX96 - 1n

export type PriceUnknown = 'price_missing' | 'price_at_bound' | 'decimals_unknown'

/**
 * Whole other tokens per whole stock token; unknown before `Initialize`, at a bound, or while a
 * token's decimals are unknown (docs/methodology.md §2).
 */
export const stockPriceInOther = (
  price: { readonly sqrtPriceX96: bigint } | null,
  stockIsToken0: boolean,
  decimals0: Reading<number>,
  decimals1: Reading<number>,
): Reading<number, PriceUnknown> => {
  if (price === null || price.sqrtPriceX96 === 0n) return unknown('price_missing')
  if (isAtBound(price.sqrtPriceX96)) return unknown('price_at_bound')
  if (!decimals0.known || !decimals1.known) return unknown('decimals_unknown')
  const token1PerToken0 = priceRatio(price.sqrtPriceX96, decimals0.value, decimals1.value)
  return known(toApprox(stockIsToken0 ? token1PerToken0 : invertRatio(token1PerToken0)))
}
