import { divide } from '../math/divide.ts'
import { sqrtPriceAfterInput, sqrtPriceAfterOutput } from '../math/next-sqrt-price.ts'
import { amount0Delta, amount1Delta } from '../math/sqrt-price-math.ts'

/** Fees are hundredths of a bip: parts of this. LPFeeLibrary.MAX_LP_FEE, a fee of 100 %. */
export const feeParts = 1_000_000

const partsOfOne = BigInt(feeParts)

/** Liquidity that a swap moves through without crossing a tick, towards a √price (Q64.96). */
export type SwapSpan = {
  readonly sqrtPriceX96: bigint
  readonly targetX96: bigint
  readonly liquidity: bigint
  /** Token0 enters and token1 leaves, which lowers the price. */
  readonly zeroForOne: boolean
  /** Of the input, hundredths of a bip, below `feeParts` unless the input is exact. */
  readonly fee: number
}

/** Raw amounts of one step. The trader pays `amountIn` and `feeAmount`. */
export type SwapStep = {
  readonly sqrtPriceX96: bigint
  readonly amountIn: bigint
  readonly amountOut: bigint
  readonly feeAmount: bigint
}

/** What the pool receives when the price moves to `toX96`, without the fee. */
const inputUntil = (
  { sqrtPriceX96, liquidity, zeroForOne }: Omit<SwapSpan, 'targetX96'>,
  toX96: bigint,
): bigint => {
  const span = { sqrtPriceAX96: sqrtPriceX96, sqrtPriceBX96: toX96, liquidity }
  return zeroForOne ? amount0Delta(span, 'up') : amount1Delta(span, 'up')
}

/** What the pool pays when the price moves to `toX96`. */
const outputUntil = (
  { sqrtPriceX96, liquidity, zeroForOne }: Omit<SwapSpan, 'targetX96'>,
  toX96: bigint,
): bigint => {
  const span = { sqrtPriceAX96: sqrtPriceX96, sqrtPriceBX96: toX96, liquidity }
  return zeroForOne ? amount1Delta(span, 'down') : amount0Delta(span, 'down')
}

const feeOn = (amountIn: bigint, fee: number): bigint =>
  amountIn === 0n ? 0n : divide(amountIn * BigInt(fee), BigInt(feeParts - fee), 'up')

/** SwapMath.computeSwapStep of v4-core, of an exact input: `remaining` includes the fee. */
export const stepOfInput = (span: SwapSpan, remaining: bigint): SwapStep => {
  const { targetX96, fee } = span
  const usable = (remaining * BigInt(feeParts - fee)) / partsOfOne
  const toTarget = inputUntil(span, targetX96)
  if (usable >= toTarget) {
    const amountOut = outputUntil(span, targetX96)
    return {
      sqrtPriceX96: targetX96,
      amountIn: toTarget,
      amountOut,
      feeAmount: feeOn(toTarget, fee),
    }
  }
  const sqrtPriceX96 = sqrtPriceAfterInput({ ...span, amount: usable }, span.zeroForOne)
  // The price does not reach the target, so what the amount leaves is fee.
  return {
    sqrtPriceX96,
    amountIn: usable,
    amountOut: outputUntil(span, sqrtPriceX96),
    feeAmount: remaining - usable,
  }
}

/** SwapMath.computeSwapStep of v4-core, of an exact output. */
export const stepOfOutput = (span: SwapSpan, remaining: bigint): SwapStep => {
  const { targetX96, fee } = span
  const toTarget = outputUntil(span, targetX96)
  const isReached = remaining >= toTarget
  const sqrtPriceX96 = isReached
    ? targetX96
    : sqrtPriceAfterOutput({ ...span, amount: remaining }, span.zeroForOne)
  const amountIn = inputUntil(span, sqrtPriceX96)
  return {
    sqrtPriceX96,
    amountIn,
    amountOut: isReached ? toTarget : remaining,
    feeAmount: feeOn(amountIn, fee),
  }
}
