const q192 = 1n << 192n

/** floor(√value) by Newton's method. */
const integerSqrt = (value: bigint): bigint => {
  let root = 1n << BigInt(Math.ceil(value.toString(2).length / 2))
  for (;;) {
    const next = (root + value / root) >> 1n
    if (next >= root) return root
    root = next
  }
}

/** √(numerator / denominator), Q96, rounded down. */
export const sqrtRatioX96 = (numerator: bigint, denominator: bigint): bigint =>
  integerSqrt((numerator * q192) / denominator)
