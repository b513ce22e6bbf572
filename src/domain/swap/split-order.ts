import { toApprox } from '../math/pool-price.ts'
import type { SwapSide } from '../views/swap-quote.ts'
import { type CostTarget, findPoolParts, type PoolPart, type SplitPool } from './marginal-cost.ts'
import { type SwapResult, simulateSwap } from './simulate-swap.ts'
import { feeParts } from './swap-step.ts'

/** Buy for dollars (times 2^256), buy raw stock, or sell raw stock. */
export type SplitOrder =
  | { readonly side: 'buy'; readonly exact: 'input'; readonly usdX256: bigint }
  | { readonly side: 'buy'; readonly exact: 'output'; readonly stock: bigint }
  | { readonly side: 'sell'; readonly exact: 'input'; readonly stock: bigint }

type Leg<P extends SplitPool> = { readonly pool: P; readonly swap: SwapResult }

/** `share` is of what the legs use of the amount that the order fixes. */
type SplitLeg<P extends SplitPool> = Leg<P> & { readonly share: number }

export type OrderSplit<P extends SplitPool> = {
  /** Pools that are used, the largest part first. */
  readonly legs: readonly SplitLeg<P>[]
  /** Raw. */
  readonly stock: bigint
  /** US dollars of the other tokens, times 2^256. */
  readonly usdX256: bigint
  /** False when the liquidity of all pools ended before the order was used up. */
  readonly filled: boolean
}

const q256 = 2 ** 256

const targetOf = (order: SplitOrder): CostTarget => ({
  exact: order.exact,
  amount: 'stock' in order ? Number(order.stock) : Number(order.usdX256) / q256,
})

const amountOfPart = (part: PoolPart, order: SplitOrder): bigint => {
  const amount = order.exact === 'input' ? part.input : part.output
  return BigInt(Math.floor('stock' in order ? amount : amount * q256))
}

const amountOf = (order: SplitOrder): bigint => ('stock' in order ? order.stock : order.usdX256)

/** What one raw unit of the pool's fixed token counts in the order. */
const unitOf = (order: SplitOrder, { otherUsdX256 }: SplitPool): bigint =>
  'stock' in order ? 1n : otherUsdX256

const usdX256Of = <P extends SplitPool>({ pool, swap }: Leg<P>, side: SwapSide): bigint =>
  (side === 'buy' ? swap.amountIn : swap.amountOut) * pool.otherUsdX256

/** What a leg uses of the order. */
const usedBy = <P extends SplitPool>({ pool, swap }: Leg<P>, order: SplitOrder): bigint =>
  (order.exact === 'input' ? swap.amountIn : swap.amountOut) * unitOf(order, pool)

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((a, b) => a + b, 0n)

const toSplit = <P extends SplitPool>(
  legs: readonly Leg<P>[],
  order: SplitOrder,
  filled: boolean,
): OrderSplit<P> => {
  const { side } = order
  const used = sum(legs.map((leg) => usedBy(leg, order)))
  const shared = legs.map((leg) => ({
    ...leg,
    share: toApprox({ numerator: usedBy(leg, order), denominator: used }),
  }))
  return {
    legs: shared.sort((a, b) => b.share - a.share),
    stock: sum(legs.map(({ swap }) => (side === 'buy' ? swap.amountOut : swap.amountIn))),
    usdX256: sum(legs.map((leg) => usdX256Of(leg, side))),
    filled,
  }
}

/** Swaps `amount` of the order, or as much of it as the pool's liquidity allows. */
const swapIn = <P extends SplitPool>(pool: P, order: SplitOrder, amount: bigint): Leg<P> => ({
  pool,
  swap: simulateSwap(pool.pool, {
    zeroForOne: pool.zeroForOne,
    exact: order.exact,
    amount: amount / unitOf(order, pool),
    fee: pool.fee,
  }),
})

/** Whether what is left of an order is less than a raw unit of a pool that is used. */
const isUsedUp = <P extends SplitPool>(
  legs: ReadonlyMap<P, Leg<P>>,
  rest: bigint,
  order: SplitOrder,
): boolean => [...legs.keys()].some((pool) => rest < unitOf(order, pool))

/** Swaps its part in every pool; the deepest at the common cost takes what is left. */
const splitByParts = <P extends SplitPool>(
  pools: readonly P[],
  order: SplitOrder,
): OrderSplit<P> => {
  const parts = findPoolParts(pools, order.side, targetOf(order))
  const deepestFirst = pools
    .map((pool, index) => ({ pool, part: parts?.[index] ?? null }))
    .sort((a, b) => (b.part?.depth ?? 0) - (a.part?.depth ?? 0))
  const legs = new Map<P, Leg<P>>()
  let rest = amountOf(order)
  const use = (pool: P, amountMax: bigint): void => {
    const before = legs.get(pool)
    const used = before === undefined ? 0n : usedBy(before, order)
    const leg = swapIn(pool, order, used + (amountMax < rest ? amountMax : rest))
    // An input for less than a raw unit of output is lost.
    if (leg.swap.amountOut === 0n) return
    legs.set(pool, leg)
    rest -= usedBy(leg, order) - used
  }
  for (const { pool, part } of deepestFirst.slice(1)) {
    use(pool, part === null ? rest : amountOfPart(part, order))
  }
  // Beyond the deepest is only what rounding leaves where its liquidity ends.
  for (const { pool, part } of deepestFirst) {
    const isOpen = part !== null || !legs.has(pool)
    if (isOpen && !isUsedUp(legs, rest, order)) use(pool, rest)
  }
  return toSplit([...legs.values()], order, isUsedUp(legs, rest, order))
}

/** Whether a split gives the trader more than another of the same order. */
const isBetter = <P extends SplitPool>(
  split: OrderSplit<P>,
  other: OrderSplit<P>,
  { side, exact }: SplitOrder,
): boolean => {
  if (split.filled !== other.filled) return split.filled
  if (exact === 'output')
    return split.filled ? split.usdX256 < other.usdX256 : split.stock > other.stock
  return side === 'buy' ? split.stock > other.stock : split.usdX256 > other.usdX256
}

/** The pool that gives the trader most for the whole order; null if none can fill it. */
const findSingle = <P extends SplitPool>(
  pools: readonly P[],
  order: SplitOrder,
): OrderSplit<P> | null => {
  const target = targetOf(order)
  let best: { readonly pool: P; readonly gain: number } | null = null
  for (const pool of pools) {
    const part = findPoolParts([pool], order.side, target)?.[0]
    if (part === undefined) continue
    const gain = order.exact === 'input' ? part.output : -part.input
    if (best === null || gain > best.gain) best = { pool, gain }
  }
  if (best === null) return null
  const leg = swapIn(best.pool, order, amountOf(order))
  return leg.swap.filled && leg.swap.amountOut > 0n ? toSplit([leg], order, true) : null
}

/**
 * The best split of an order: in every pool that is used, the next unit costs the same after fees,
 * and in no other does it cost less. Legs of an exact input use it up to less than a raw unit of
 * the last pool's token; an output is exact. Costs of a transaction are not part of it. `single`
 * is the best pool for the whole order, null if none can fill it; the split is never worse.
 */
export const splitOrder = <P extends SplitPool>(
  pools: readonly P[],
  order: SplitOrder,
): { readonly split: OrderSplit<P>; readonly single: OrderSplit<P> | null } => {
  const usable = pools.filter(({ fee }) => fee < feeParts)
  const split = splitByParts(usable, order)
  const single = split.filled ? findSingle(usable, order) : null
  // Of a few raw units, rounding decides and not the price.
  if (single !== null && isBetter(single, split, order)) return { split: single, single }
  const isSingle = split.filled && split.legs.length === 1
  return { split, single: isSingle ? split : single }
}
