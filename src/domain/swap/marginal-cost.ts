import { lastTickUpTo } from '../pool/tick-map.ts'
import type { SwapSide } from '../views/swap-quote.ts'
import { type SwapPool, ticksCrossedMax } from './simulate-swap.ts'
import { feeParts } from './swap-step.ts'

/** A pool of a stock and a token whose price in dollars is known, in one direction. */
export type SplitPool = {
  readonly pool: SwapPool
  readonly zeroForOne: boolean
  /** Of the input, hundredths of a bip. */
  readonly fee: number
  /** US dollars per raw unit of the other token, times 2^256; > 0. */
  readonly otherUsdX256: bigint
}

const q96 = 2 ** 96
const q256 = 2 ** 256

/** Stock counts raw and every other token in dollars. */
const unitsOf = ({ otherUsdX256 }: SplitPool, side: SwapSide) => {
  const usd = Number(otherUsdX256) / q256
  return side === 'buy' ? { input: usd, output: 1 } : { input: 1, output: usd }
}

/** A pool while its √cost rises: it has this depth up to the next change. */
type RisingPool = {
  readonly depth: () => number
  readonly next: () => number
  readonly rise: () => void
  /** What it takes and pays up to a √cost before the next change. */
  readonly amountsAt: (costRoot: number) => { readonly input: number; readonly output: number }
}

const createRisingPool = (split: SplitPool, side: SwapSide): RisingPool => {
  const { zeroForOne } = split
  const { price, liquidity, tickMap } = split.pool
  const units = unitsOf(split, side)
  const withoutFee = 1 - split.fee / feeParts
  const costFactor = Math.sqrt(units.input / units.output / withoutFee)
  const depthFactor = Math.sqrt((units.input * units.output) / withoutFee)
  const costRootAt = (sqrtPriceX96: bigint | undefined): number => {
    if (sqrtPriceX96 === undefined) return Number.POSITIVE_INFINITY
    const root = Number(sqrtPriceX96) / q96
    return zeroForOne ? costFactor / root : costFactor * root
  }
  let index = lastTickUpTo(tickMap, price.tick) + (zeroForOne ? 1 : 0)
  let beyond = liquidity
  let [depth, input, output, rises] = [0, 0, 0, 0]
  let start = costRootAt(price.sqrtPriceX96)
  let next = start
  const amountsAt = (costRoot: number) => ({
    input: input + depth * (costRoot - start),
    output: output + depth * (1 / start - 1 / costRoot),
  })
  return {
    depth: () => depth,
    next: () => next,
    amountsAt,
    rise: () => {
      const amounts = amountsAt(next)
      input = amounts.input
      output = amounts.output
      start = next
      const isAtEnd = rises === ticksCrossedMax
      rises += 1
      depth = isAtEnd ? 0 : Number(beyond) * depthFactor
      index += zeroForOne ? -1 : 1
      next = costRootAt(isAtEnd ? undefined : tickMap.sqrtPricesX96[index])
      beyond = tickMap.liquidities[zeroForOne ? index - 1 : index] ?? 0n
    },
  }
}

/** How much is to be paid or received in all: raw stock, or dollars. */
export type CostTarget = { readonly exact: 'input' | 'output'; readonly amount: number }

/** Part of a pool in a target, raw stock or dollars, and its depth where the swaps end. */
export type PoolPart = { readonly input: number; readonly output: number; readonly depth: number }

/** The √cost after `amount` more at a depth; not positive if there is less output than that. */
const costRootAfter = (costRoot: number, exact: CostTarget['exact'], move: number): number =>
  exact === 'input' ? costRoot + move : 1 / (1 / costRoot - move)

/**
 * The parts of the pools in a target when their next units cost the same, fees included; null if
 * the liquidity ends first. With c = √(dollars per raw unit of the other token / (1 − fee)), a
 * pool of liquidity L takes L·c·Δr and pays L·c·Δ(−1/r) while the root r of its marginal cost
 * rises, so the depths L·c of all pools add up.
 *
 * Numbers suffice: an error of the share x in the parts makes the result worse by x².
 */
export const findPoolParts = (
  pools: readonly SplitPool[],
  side: SwapSide,
  { exact, amount }: CostTarget,
): readonly PoolPart[] | null => {
  const rising = pools.map((pool) => createRisingPool(pool, side))
  let [costRoot, rest] = [0, amount]
  for (;;) {
    let next: RisingPool | undefined
    let depth = 0
    for (const pool of rising) {
      depth += pool.depth()
      if (next === undefined || pool.next() < next.next()) next = pool
    }
    const nextRoot = next?.next() ?? Number.POSITIVE_INFINITY
    if (depth > 0) {
      const end = costRootAfter(costRoot, exact, rest / depth)
      if (end > 0 && end <= nextRoot) {
        return rising.map((pool) => ({ ...pool.amountsAt(end), depth: pool.depth() }))
      }
      rest -= depth * (exact === 'input' ? nextRoot - costRoot : 1 / costRoot - 1 / nextRoot)
    }
    if (next === undefined || nextRoot === Number.POSITIVE_INFINITY) return null
    costRoot = nextRoot
    next.rise()
  }
}
