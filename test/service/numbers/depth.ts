import { sqrtPlaces, sqrtPriceOfTick, squareRoot } from './exact.ts'
import type { Replayed } from './replay.ts'

/*
 * The tokens that move a pool's price by 2 %, by the whitepaper's definition and from the positions
 * in the logs (docs/methodology.md §4).
 */

type Side = 0 | 1

const unit = 1n << sqrtPlaces

/** √price after the price of the other token, in this one, was multiplied by `percent` / 100. */
const movedTo = (sqrtPrice: bigint, side: Side, percent: bigint): bigint => {
  const [top, bottom] = side === 1 ? [percent, 100n] : [100n, percent]
  return squareRoot((sqrtPrice * sqrtPrice * top) / bottom)
}

/** Raw tokens of this side between two √prices: L·(√b − √a), or L·(1/√a − 1/√b). */
const amountBetween = (pool: Replayed, side: Side, one: bigint, other: bigint): bigint => {
  const [from, to] = one < other ? [one, other] : [other, one]
  let sum = 0n
  for (const { tickLower, tickUpper, liquidity } of pool.positions.values()) {
    const [low, high] = [sqrtPriceOfTick(tickLower), sqrtPriceOfTick(tickUpper)]
    const [a, b] = [low > from ? low : from, high < to ? high : to]
    if (a >= b) continue
    sum += liquidity * (side === 1 ? b - a : (unit * unit) / a - (unit * unit) / b)
  }
  return sum >> sqrtPlaces
}

/** The less of the two directions; null before the pool has a price. */
export const depthOf = (pool: Replayed, side: Side): bigint | null => {
  if (pool.sqrtPriceX96 === null) return null
  const sqrtPrice = pool.sqrtPriceX96 << (sqrtPlaces - 96n)
  const [up, down] = [102n, 98n].map((percent) =>
    amountBetween(pool, side, sqrtPrice, movedTo(sqrtPrice, side, percent)),
  ) as [bigint, bigint]
  return up < down ? up : down
}
