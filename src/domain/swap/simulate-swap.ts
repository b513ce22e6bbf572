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
  readonly tickSpacing: number
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
  readonly feeAmount: bigint
  /** False when the price limit ended the swap before the amount was used up. */
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
  const compressed = Math.floor(tick / tickSpacing) + (zeroForOne ? 0 : 1)
  const first = Math.floor(compressed / wordTicks) * wordTicks
  return (zeroForOne ? first : first + wordTicks - 1) * tickSpacing
}

type Stop = {
  readonly tick: number
  readonly sqrtPriceX96: bigint
  readonly isInitialized: boolean
}

const lastStop = (zeroForOne: boolean): Stop =>
  zeroForOne
    ? { tick: tickMin, sqrtPriceX96: sqrtPriceMinX96, isInitialized: false }
    : { tick: tickMax, sqrtPriceX96: sqrtPriceMaxX96, isInitialized: false }

/** Where the next step ends at the latest; `index` is that of the next tick of the map. */
const nextStop = (
  pool: SwapPool,
  at: { readonly tick: number; readonly liquidity: bigint; readonly index: number },
  zeroForOne: boolean,
): Stop => {
  const { ticks, sqrtPricesX96 } = pool.tickMap
  const [tick, sqrtPriceX96] = [ticks[at.index], sqrtPricesX96[at.index]]
  const end = at.liquidity === 0n ? null : wordEnd(at.tick, pool, zeroForOne)
  // Without liquidity every step is free, so the words between two ticks change nothing.
  if (tick !== undefined && sqrtPriceX96 !== undefined) {
    if (end === null || (zeroForOne ? tick >= end : tick <= end)) {
      return { tick, sqrtPriceX96, isInitialized: true }
    }
  }
  if (end === null || end <= tickMin || end >= tickMax) return lastStop(zeroForOne)
  return { tick: end, sqrtPriceX96: boundarySqrtPrice(end), isInitialized: false }
}

/** Liquidity beyond a tick of the map, in the direction of the swap. */
const liquidityBeyond = ({ liquidities }: TickMap, index: number, zeroForOne: boolean): bigint =>
  liquidities[zeroForOne ? index - 1 : index] ?? 0n

const isBeyond = (sqrtPriceX96: bigint, limitX96: bigint, zeroForOne: boolean): boolean =>
  zeroForOne ? sqrtPriceX96 < limitX96 : sqrtPriceX96 > limitX96

/**
 * Swaps in a pool as UniswapV3Pool.swap and Pool.swap (v4-core) do, to the wei: amounts, price,
 * tick and liquidity afterwards. Hooks, transfer fees and the contracts' integer limits are not
 * part of it. An output at a fee of 100 % is impossible: nothing is swapped.
 */
export const simulateSwap = (pool: SwapPool, order: SwapOrder): SwapResult => {
  const { tickMap } = pool
  const { zeroForOne, exact, fee } = order
  const isInput = exact === 'input'
  const lastX96 = zeroForOne ? sqrtPriceMinX96 + 1n : sqrtPriceMaxX96 - 1n
  const limitX96 = order.limitX96 ?? lastX96
  let { sqrtPriceX96, tick } = pool.price
  let { liquidity } = pool
  let index = lastTickUpTo(tickMap, tick) + (zeroForOne ? 0 : 1)
  let remaining = isInput || fee < feeParts ? order.amount : 0n
  let [amountIn, amountOut, feeAmount, ticksCrossed] = [0n, 0n, 0n, 0]
  const isOpen = isBeyond(limitX96, sqrtPriceX96, zeroForOne)
  while (isOpen && remaining > 0n && sqrtPriceX96 !== limitX96) {
    const stop = nextStop(pool, { tick, liquidity, index }, zeroForOne)
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
