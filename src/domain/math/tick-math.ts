/**
 * Ticks and √prices, bit for bit as Uniswap's TickMath (v3-core and v4-core, the same numbers).
 * Tick i stands for the price 1.0001^i; a √price is Q64.96, raw token1 per raw token0.
 */

/** TickMath.MIN_TICK and MAX_TICK: the prices 2^-128 and 2^128. */
export const tickMin = -887_272
export const tickMax = 887_272

/** TickMath.MIN_SQRT_PRICE and MAX_SQRT_PRICE: the √prices of `tickMin` and `tickMax`. */
export const sqrtPriceMinX96 = 4_295_128_739n
export const sqrtPriceMaxX96 = 1_461_446_703_485_210_103_287_273_052_203_988_822_378_723_970_342n

/** The nearest √price at which a swap can end: strictly inside the bounds. */
export const clampSqrtPrice = (sqrtPriceX96: bigint): bigint => {
  if (sqrtPriceX96 <= sqrtPriceMinX96) return sqrtPriceMinX96 + 1n
  return sqrtPriceX96 < sqrtPriceMaxX96 ? sqrtPriceX96 : sqrtPriceMaxX96 - 1n
}

/** Entry i is 2^128 / √1.0001^(2^i), rounded to the nearest integer. */
const inverseRootsX128: readonly bigint[] = [
  0xfffcb933bd6fad37aa2d162d1a594001n,
  0xfff97272373d413259a46990580e213an,
  0xfff2e50f5f656932ef12357cf3c7fdccn,
  0xffe5caca7e10e4e61c3624eaa0941cd0n,
  0xffcb9843d60f6159c9db58835c926644n,
  0xff973b41fa98c081472e6896dfb254c0n,
  0xff2ea16466c96a3843ec78b326b52861n,
  0xfe5dee046a99a2a811c461f1969c3053n,
  0xfcbe86c7900a88aedcffc83b479aa3a4n,
  0xf987a7253ac413176f2b074cf7815e54n,
  0xf3392b0822b70005940c7a398e4b70f3n,
  0xe7159475a2c29b7443b29c7fa6e889d9n,
  0xd097f3bdfd2022b8845ad8f792aa5825n,
  0xa9f746462d870fdf8a65dc1f90e061e5n,
  0x70d869a156d2a1b890bb3df62baf32f7n,
  0x31be135f97d08fd981231505542fcfa6n,
  0x9aa508b5b7a84e1c677de54f3e99bc9n,
  0x5d6af8dedb81196699c329225ee604n,
  0x2216e584f5fa1ea926041bedfe98n,
  0x48a170391f7dc42444e8fa2n,
]

const uint256Max = (1n << 256n) - 1n
const uint32Max = (1n << 32n) - 1n

/** Whether a tick is one that a pool can hold a position at. */
export const isTick = (tick: number): boolean =>
  Number.isInteger(tick) && tick >= tickMin && tick <= tickMax

/**
 * TickMath.getSqrtPriceAtTick.
 * @throws RangeError if the tick is none of `tickMin`..`tickMax`: a bug, not data.
 */
export const sqrtPriceAtTick = (tick: number): bigint => {
  if (!isTick(tick)) throw new RangeError(`tick ${tick} is out of range`)
  let priceX128 = 1n << 128n
  let bits = Math.abs(tick)
  for (const factor of inverseRootsX128) {
    if (bits === 0) break
    if (bits & 1) priceX128 = (priceX128 * factor) >> 128n
    bits >>= 1
  }
  if (tick > 0) priceX128 = uint256Max / priceX128
  // Rounded up, so that tickAtSqrtPrice leads back to the same tick.
  return (priceX128 + uint32Max) >> 32n
}

const logBase = Math.log(1.0001) / 2
const q96 = 2 ** 96

/**
 * TickMath.getTickAtSqrtPrice: the greatest tick whose √price is not above this one.
 * @throws RangeError outside [sqrtPriceMinX96, sqrtPriceMaxX96): a bug, not data.
 */
export const tickAtSqrtPrice = (sqrtPriceX96: bigint): number => {
  if (sqrtPriceX96 < sqrtPriceMinX96 || sqrtPriceX96 >= sqrtPriceMaxX96) {
    throw new RangeError(`√price ${sqrtPriceX96} is out of range`)
  }
  // The estimate errs by some 1e-9 ticks, so the true tick is the nearest integer or one below it.
  const nearest = Math.round(Math.log(Number(sqrtPriceX96) / q96) / logBase)
  return sqrtPriceAtTick(nearest) <= sqrtPriceX96 ? nearest : nearest - 1
}
