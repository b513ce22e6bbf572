import { divide } from './divide.ts'

/**
 * The √price (Q64.96) after an amount enters or leaves a pool within one range of liquidity, bit
 * for bit as Uniswap's SqrtPriceMath (v3-core and v4-core, the same numbers). Amounts are raw and
 * liquidity is positive. The caller caps the amount at what the range takes, so that no result
 * leaves it.
 */
type PriceMove = {
  readonly sqrtPriceX96: bigint
  readonly liquidity: bigint
  readonly amount: bigint
}

const uint256Max = (1n << 256n) - 1n

/** SqrtPriceMath.getNextSqrtPriceFromAmount0RoundingUp, adding. */
const afterAmount0In = ({ sqrtPriceX96, liquidity, amount }: PriceMove): bigint => {
  const scaled = liquidity << 96n
  const product = amount * sqrtPriceX96
  // Where the contract's 256 bits do not suffice it divides first, which rounds differently.
  if (product > uint256Max || scaled + product > uint256Max) {
    return divide(scaled, scaled / sqrtPriceX96 + amount, 'up')
  }
  return divide(scaled * sqrtPriceX96, scaled + product, 'up')
}

/** SqrtPriceMath.getNextSqrtPriceFromAmount0RoundingUp, removing. */
const afterAmount0Out = ({ sqrtPriceX96, liquidity, amount }: PriceMove): bigint => {
  const scaled = liquidity << 96n
  return divide(scaled * sqrtPriceX96, scaled - amount * sqrtPriceX96, 'up')
}

/** SqrtPriceMath.getNextSqrtPriceFromAmount1RoundingDown. */
const afterAmount1In = ({ sqrtPriceX96, liquidity, amount }: PriceMove): bigint =>
  sqrtPriceX96 + (amount << 96n) / liquidity

const afterAmount1Out = ({ sqrtPriceX96, liquidity, amount }: PriceMove): bigint =>
  sqrtPriceX96 - divide(amount << 96n, liquidity, 'up')

/** SqrtPriceMath.getNextSqrtPriceFromInput: token0 lowers the price, token1 raises it. */
export const sqrtPriceAfterInput = (move: PriceMove, zeroForOne: boolean): bigint => {
  if (move.amount === 0n) return move.sqrtPriceX96
  return zeroForOne ? afterAmount0In(move) : afterAmount1In(move)
}

/** SqrtPriceMath.getNextSqrtPriceFromOutput. */
export const sqrtPriceAfterOutput = (move: PriceMove, zeroForOne: boolean): bigint => {
  if (move.amount === 0n) return move.sqrtPriceX96
  return zeroForOne ? afterAmount1Out(move) : afterAmount0Out(move)
}
