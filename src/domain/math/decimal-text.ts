import type { Ratio } from './pool-price.ts'

/** Digits behind the point, without the zeros at the end but for one: `1.0`, `0.25`. */
const withPoint = (scaled: bigint, places: number): string => {
  const digits = scaled.toString().padStart(places + 1, '0')
  const whole = digits.slice(0, digits.length - places)
  const fraction = digits.slice(digits.length - places).replace(/0+$/, '')
  return `${whole}.${fraction === '' ? '0' : fraction}`
}

/** Whole tokens of a raw amount >= 0, exact. */
export const amountText = (raw: bigint, decimals: number): string => withPoint(raw, decimals)

/** A ratio with so many digits behind the point, rounded down. */
export const ratioText = ({ numerator, denominator }: Ratio, places: number): string =>
  withPoint((numerator * 10n ** BigInt(places)) / denominator, places)

/** A number >= 0 in plain digits, of which it has as many as it takes to read it back. */
export const numberText = (value: number): string => {
  const [digits = '0', exponent = '0'] = value.toString().split('e')
  const [whole = '0', fraction = ''] = digits.split('.')
  const shift = Number(exponent) - fraction.length
  const scaled = BigInt(whole + fraction)
  return shift >= 0 ? withPoint(scaled * 10n ** BigInt(shift), 0) : withPoint(scaled, -shift)
}
