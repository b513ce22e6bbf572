/*
 * Exact arithmetic for tests, from first principles: quotients of integers, and √price by the
 * definition 1.0001^(tick/2) instead of Uniswap's tables.
 */

/** A quotient of two integers; the denominator is positive. */
export type Fraction = { readonly top: bigint; readonly bottom: bigint }

const tenTo = (exponent: number): bigint => 10n ** BigInt(exponent)

/** Whole tokens of a raw amount. */
export const wholeOf = (raw: bigint, decimals: number): Fraction => ({
  top: raw,
  bottom: tenTo(decimals),
})

/** Whole token1 for one whole token0: (√P / 2^96)² · 10^(d0 − d1). */
export const token1PerToken0 = (
  sqrtPriceX96: bigint,
  decimals0: number,
  decimals1: number,
): Fraction => ({
  top: sqrtPriceX96 ** 2n * tenTo(decimals0),
  bottom: 2n ** 192n * tenTo(decimals1),
})

export const inverse = ({ top, bottom }: Fraction): Fraction => ({ top: bottom, bottom: top })

/** Exactly the number that the double is. */
const fractionOf = (double: number): Fraction => {
  let [top, bottom] = [double, 1n]
  while (!Number.isInteger(top)) [top, bottom] = [top * 2, bottom * 2n]
  return { top: BigInt(top), bottom }
}

const magnitude = (value: bigint): bigint => (value < 0n ? -value : value)

/** |actual / expected − 1|; of zero only zero is no distance away. */
export const relativeError = (actual: number, expected: Fraction): number => {
  const double = fractionOf(actual)
  const gap = magnitude(double.top * expected.bottom - expected.top * double.bottom)
  if (gap === 0n) return 0
  const size = magnitude(expected.top) * double.bottom
  return size === 0n ? Number.POSITIVE_INFINITY : Number((gap * tenTo(24)) / size) / 1e24
}

/** The nearest number, for comparisons that allow for rounding. */
export const approx = ({ top, bottom }: Fraction): number => {
  if (top === 0n) return 0
  const digits = magnitude(top).toString().length - bottom.toString().length
  const shift = 25 - digits
  const scaled = shift >= 0 ? (top * tenTo(shift)) / bottom : top / (bottom * tenTo(-shift))
  return Number(`${scaled}e${-shift}`)
}

export const squareRoot = (value: bigint): bigint => {
  if (value < 2n) return value
  let guess = 1n << BigInt((value.toString(2).length >> 1) + 1)
  for (;;) {
    const next = (guess + value / guess) >> 1n
    if (next >= guess) return guess
    guess = next
  }
}

/** Fixed point with 448 binary places: enough for 1.0001^±887,272 with all digits that matter. */
const places = 448n
const one = 1n << places

const powerOfBase = (exponent: number): bigint => {
  let [power, factor] = [one, (one * 10_001n) / 10_000n]
  for (let rest = exponent; rest > 0; rest >>= 1) {
    if ((rest & 1) === 1) power = (power * factor) >> places
    factor = (factor * factor) >> places
  }
  return power
}

/** √price in fixed point with this many binary places. */
export const sqrtPlaces = 224n

const known = new Map<number, bigint>()

/** √1.0001^tick in `sqrtPlaces` binary places. */
export const sqrtPriceOfTick = (tick: number): bigint => {
  const before = known.get(tick)
  if (before !== undefined) return before
  const power = powerOfBase(Math.abs(tick))
  const price = tick < 0 ? (one * one) / power : power
  const root = squareRoot(price)
  known.set(tick, root)
  return root
}
