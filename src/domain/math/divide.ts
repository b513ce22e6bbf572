/** `down` for amounts that the pool pays, `up` for amounts that it receives. */
export type Rounding = 'down' | 'up'

/** Quotient of two non-negative integers. */
export const divide = (numerator: bigint, denominator: bigint, rounding: Rounding): bigint => {
  const quotient = numerator / denominator
  return rounding === 'up' && quotient * denominator < numerator ? quotient + 1n : quotient
}
