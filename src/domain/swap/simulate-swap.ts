import {
  sqrtPriceAtTick,
  sqrtPriceMaxX96,
  sqrtPriceMinX96,
  tickAtSqrtPrice,
  tickMax,
  tickMin,
} from '../math/tick-math.ts'
import { createMemo } from '../memo.ts'
import type { PoolPrice } from '../pool/pool-event.ts'
import { lastTickUpTo, type TickMap } from '../pool/tick-map.ts'
import { feeParts, type SwapStep, stepOfInput, stepOfOutput } from './swap-step.ts'

/** What a swap depends on besides the order. */
export type SwapPool = {
  readonly price: PoolPrice
  /** In range; equal to the tick map's at the tick. */
  readonly liquidity: bigint
  readonly tickMap: TickMap
  /** Null where a swap stops at ticks with positions only (`Protocol.swapStops`). */
  readonly tickSpacing: number | null
}

export type SwapOrder = {
  /** Token0 enters and token1 leaves, which lowers the price. */
  readonly zeroForOne: boolean
  /** Which of the two amounts is fixed. */
  readonly exact: 'input' | 'output'
  /** Raw, > 0: the input with its fee, or the output. */
  readonly amount: bigint
  /** Of the input, hundredths of a bip. */
  readonly fee: number
  /** √price (Q64.96) at which the swap ends; by default the last one that the contracts allow. */
  readonly limitX96?: bigint
}

/** Raw amounts. `amountIn` includes `feeAmount`. */
export type SwapResult = {
  readonly amountIn: bigint
  readonly amountOut: bigint
  /** As v4-core counts it; v3-core adds what is too little to move the price. */
  readonly feeAmount: bigint
  /** False when a limit ended the swap before the amount was used up. */
  readonly filled: boolean
  readonly price: PoolPrice
  readonly liquidity: bigint
  /** Ticks with positions that the price crossed. */
  readonly ticksCrossed: number
}

/** Ticks that one word of the contracts' bitmap covers, in units of the tick spacing. */
const wordTicks = 256

const boundariesMax = 8192
const boundarySqrtPrice = createMemo(boundariesMax, sqrtPriceAtTick)

/**
 * The end of the bitmap word that TickBitmap.nextInitializedTickWithinOneWord searches. A swap
 * stops there even without a position, and rounds its amounts.
 */
const wordEnd = (tick: number, { tickSpacing }: SwapPool, zeroForOne: boolean): number => {
  if (tickSpacing === null) return zeroForOne ? tickMin : tickMax
  const compressed = Math.floor(tick / tickSpacing) + (zeroForOne ? 0 : 1)
  const first = Math.floor(compressed / wordTicks) * wordTicks
  return (zeroForOne ? first : first + wordTicks - 1) * tickSpacing
}

/**
 * More ticks than a transaction can pay for: crossing one takes at least 10,000 gas. Without a
 * limit a pool of very many ticks makes a quote slow.
 */
export const ticksCrossedMax = 10_000

type Stop = {
  readonly tick: number
  readonly sqrtPriceX96: bigint
  readonly isInitialized: boolean
}

const lastStop = (zeroForOne: boolean): Stop =>
  zeroForOne
    ? { tick: tickMin, sqrtPriceX96: sqrtPriceMinX96, isInitialized: false }
    : { tick: tickMax, sqrtPriceX96: sqrtPriceMaxX96, isInitialized: false }

const isBeyond = (sqrtPriceX96: bigint, limitX96: bigint, zeroForOne: boolean): boolean =>
  zeroForOne ? sqrtPriceX96 < limitX96 : sqrtPriceX96 > limitX96

/** Where a swap ends at the latest. */
type Limit = { readonly sqrtPriceX96: bigint; readonly tick: number }

const lowest: Limit = { sqrtPriceX96: sqrtPriceMinX96 + 1n, tick: tickMin }
const highest: Limit = { sqrtPriceX96: sqrtPriceMaxX96 - 1n, tick: tickMax - 1 }

const limitOf = ({ zeroForOne, limitX96 }: SwapOrder): Limit => {
  if (limitX96 === undefined) return zeroForOne ? lowest : highest
  if (limitX96 <= lowest.sqrtPriceX96) return lowest
  if (limitX96 >= highest.sqrtPriceX96) return highest
  return { sqrtPriceX96: limitX96, tick: tickAtSqrtPrice(limitX96) }
}

/** Where the next step ends at the latest; `index` is that of the next tick of the map. */
const nextStop = (
  pool: SwapPool,
  at: { readonly tick: number; readonly liquidity: bigint; readonly index: number },
  { zeroForOne, limit }: { readonly zeroForOne: boolean; readonly limit: Limit },
): Stop => {
  const { ticks, sqrtPricesX96 } = pool.tickMap
  const [tick, sqrtPriceX96] = [ticks[at.index], sqrtPricesX96[at.index]]
  // Without liquidity every step is free, so of the words ahead only that of the limit matters.
  const end = wordEnd(at.liquidity === 0n ? limit.tick : at.tick, pool, zeroForOne)
  if (
    tick !== undefined &&
    sqrtPriceX96 !== undefined &&
    (zeroForOne ? tick >= end : tick <= end)
  ) {
    return { tick, sqrtPriceX96, isInitialized: true }
  }
  if (end <= tickMin || end >= tickMax) return lastStop(zeroForOne)
  return { tick: end, sqrtPriceX96: boundarySqrtPrice(end), isInitialized: false }
}

/** Liquidity beyond a tick of the map, in the direction of the swap. */
const liquidityBeyond = ({ liquidities }: TickMap, index: number, zeroForOne: boolean): bigint =>
  liquidities[zeroForOne ? index - 1 : index] ?? 0n

/**
 * Swaps in a pool as UniswapV3Pool.swap, Pool.swap (v4-core) and AlgebraPool.swap do, to the wei:
 * amounts, price, tick and liquidity afterwards. Hooks, plugins, transfer fees and the contracts'
 * integer limits are not part of it. An output at a fee of 100 % is impossible: nothing is swapped.
 * A swap ends after `ticksCrossedMax` ticks.
 */
export const simulateSwap = (pool: SwapPool, order: SwapOrder): SwapResult => {
  const { tickMap } = pool
  const { zeroForOne, exact, fee } = order
  const isInput = exact === 'input'
  const limit = limitOf(order)
  const limitX96 = limit.sqrtPriceX96
  let { sqrtPriceX96, tick } = pool.price
  let { liquidity } = pool
  let index = lastTickUpTo(tickMap, tick) + (zeroForOne ? 0 : 1)
  let remaining = isInput || fee < feeParts ? order.amount : 0n
  let [amountIn, amountOut, feeAmount, ticksCrossed] = [0n, 0n, 0n, 0]
  const isOpen = isBeyond(limitX96, sqrtPriceX96, zeroForOne)
  const isUnfinished = () => remaining > 0n && sqrtPriceX96 !== limitX96
  while (isOpen && isUnfinished() && ticksCrossed < ticksCrossedMax) {
    const stop = nextStop(pool, { tick, liquidity, index }, { zeroForOne, limit })
    const targetX96 = isBeyond(stop.sqrtPriceX96, limitX96, zeroForOne)
      ? limitX96
      : stop.sqrtPriceX96
    const span = { sqrtPriceX96, targetX96, liquidity, zeroForOne, fee }
    const step: SwapStep = isInput ? stepOfInput(span, remaining) : stepOfOutput(span, remaining)
    remaining -= isInput ? step.amountIn + step.feeAmount : step.amountOut
    amountIn += step.amountIn + step.feeAmount
    amountOut += step.amountOut
    feeAmount += step.feeAmount
    if (step.sqrtPriceX96 === stop.sqrtPriceX96) {
      if (stop.isInitialized) {
        liquidity = liquidityBeyond(tickMap, index, zeroForOne)
        index += zeroForOne ? -1 : 1
        ticksCrossed += 1
      }
      tick = zeroForOne ? stop.tick - 1 : stop.tick
    } else if (step.sqrtPriceX96 !== sqrtPriceX96) tick = tickAtSqrtPrice(step.sqrtPriceX96)
    sqrtPriceX96 = step.sqrtPriceX96
  }
  const filled = remaining === 0n && (isInput || fee < feeParts)
  return {
    amountIn,
    amountOut,
    feeAmount,
    filled,
    price: { sqrtPriceX96, tick },
    liquidity,
    ticksCrossed,
  }
}
