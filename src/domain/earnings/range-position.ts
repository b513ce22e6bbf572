import { tickMax, tickMin } from '../math/tick-math.ts'
import type { LiquidityRange } from '../views/range-earnings.ts'

const tickBase = 1.0001
const logBase = Math.log(tickBase)
const q96 = 2 ** 96

/** √price as a number. */
export const rootOf = (sqrtPriceX96: bigint): number => Number(sqrtPriceX96) / q96

const rootAt = (tick: number): number => tickBase ** (tick / 2)

/** The side and decimals that a price in other tokens per stock token follows from. */
export type RangePair = {
  readonly stockIsToken0: boolean
  readonly decimals0: number
  readonly decimals1: number
}

const tickOf = (price: number, { stockIsToken0, decimals0, decimals1 }: RangePair): number => {
  const logRaw = Math.log(price) * (stockIsToken0 ? 1 : -1) + (decimals1 - decimals0) * Math.LN10
  return logRaw / logBase
}

const priceAt = (tick: number, { stockIsToken0, decimals0, decimals1 }: RangePair): number => {
  const log = tick * logBase + (decimals0 - decimals1) * Math.LN10
  return Math.exp(stockIsToken0 ? log : -log)
}

/** The range of a position nearest to these prices: at least one tick spacing wide. */
export const rangeBetween = (
  { lower, upper }: { readonly lower: number; readonly upper: number },
  pair: RangePair,
  tickSpacing: number,
): LiquidityRange => {
  const spacing = Math.max(1, tickSpacing)
  const [first, last] = [Math.ceil(tickMin / spacing), Math.floor(tickMax / spacing)]
  const [low = 0, high = 0] = [tickOf(lower, pair), tickOf(upper, pair)].toSorted((a, b) => a - b)
  const begin = Math.max(first, Math.min(last - 1, Math.round(low / spacing)))
  const end = Math.max(begin + 1, Math.min(last, Math.round(high / spacing)))
  const [tickLower, tickUpper] = [begin * spacing, end * spacing]
  const [one = 0, other = 0] = [priceAt(tickLower, pair), priceAt(tickUpper, pair)]
  return {
    ...{ tickLower, tickUpper },
    ...{ priceLower: Math.min(one, other), priceUpper: Math.max(one, other) },
  }
}

/** √prices of the ends of a range. */
export type Roots = { readonly lower: number; readonly upper: number }

export const rootsOf = ({ tickLower, tickUpper }: LiquidityRange): Roots => ({
  lower: rootAt(tickLower),
  upper: rootAt(tickUpper),
})

/** Raw amounts of both tokens of liquidity 1 at a √price, as numbers. */
export const amountsAt = (
  { lower, upper }: Roots,
  root: number,
): { readonly amount0: number; readonly amount1: number } => {
  const at = Math.min(Math.max(root, lower), upper)
  return { amount0: 1 / at - 1 / upper, amount1: at - lower }
}
