import type { Rounding } from '../../src/domain/math/divide.ts'
import { amount0Delta, amount1Delta } from '../../src/domain/math/sqrt-price-math.ts'
import { sqrtPriceAtTick, tickAtSqrtPrice } from '../../src/domain/math/tick-math.ts'
import { depthOf } from '../../src/domain/pool/pool-depth.ts'
import type { PoolPrice } from '../../src/domain/pool/pool-event.ts'
import type { RawAmounts } from '../../src/domain/pool/pool-state.ts'
import {
  activeLiquidityAt,
  applyLiquidityDelta,
  emptyTickMap,
  type TickMap,
} from '../../src/domain/pool/tick-map.ts'
import { reservesFromTickMap } from '../../src/domain/pool/tick-map-reserves.ts'

export type Range = { readonly tickLower: number; readonly tickUpper: number }

/** Price and active liquidity, as the pool's contract returns them. */
export type PoolSnapshot = PoolPrice & { readonly liquidity: bigint }

const feeUnits = 1_000_000n

/** The fee that is added to `amountIn`, as FullMath.mulDivRoundingUp. */
const feeOn = (amountIn: bigint, fee: number): bigint => {
  const feeComplement = feeUnits - BigInt(fee)
  return (amountIn * BigInt(fee) + feeComplement - 1n) / feeComplement
}

const magnitude = (value: bigint): bigint => (value < 0n ? -value : value)

/**
 * A pool with the contracts' arithmetic (v3-core UniswapV3Pool, v4-core Pool): a swap moves from
 * one initialized tick to the next up to its price limit, with the contracts' rounding.
 */
export const createSyntheticPool = (sqrtPriceX96: bigint) => {
  let price: PoolPrice = { sqrtPriceX96, tick: tickAtSqrtPrice(sqrtPriceX96) }
  let map: TickMap = emptyTickMap

  const amountsOf = ({ tickLower, tickUpper }: Range, delta: bigint): RawAmounts => {
    const rounding: Rounding = delta > 0n ? 'up' : 'down'
    const liquidity = magnitude(delta)
    const [lower, upper] = [sqrtPriceAtTick(tickLower), sqrtPriceAtTick(tickUpper)]
    const { sqrtPriceX96: now, tick } = price
    const split = tick < tickLower ? lower : tick >= tickUpper ? upper : now
    return {
      amount0: amount0Delta({ sqrtPriceAX96: split, sqrtPriceBX96: upper, liquidity }, rounding),
      amount1: amount1Delta({ sqrtPriceAX96: lower, sqrtPriceBX96: split, liquidity }, rounding),
    }
  }

  /** One step to the next initialized tick or to the limit. */
  const stepTo = (limit: bigint, fee: number, index: number) => {
    const isDown = limit < price.sqrtPriceX96
    const nextTick = map.ticks[isDown ? index : index + 1]
    const nextPrice = map.sqrtPricesX96[isDown ? index : index + 1]
    const isBeyond = nextPrice === undefined || (isDown ? limit > nextPrice : limit < nextPrice)
    const stop = isBeyond ? limit : nextPrice
    const liquidity = map.liquidities[index] ?? 0n
    const span = { sqrtPriceAX96: price.sqrtPriceX96, sqrtPriceBX96: stop, liquidity }
    const amountIn = isDown ? amount0Delta(span, 'up') : amount1Delta(span, 'up')
    const amountOut = isDown ? amount1Delta(span, 'down') : amount0Delta(span, 'down')
    const crossed = isBeyond || nextTick === undefined ? null : nextTick
    const tick = crossed === null ? tickAtSqrtPrice(stop) : isDown ? crossed - 1 : crossed
    return {
      price: { sqrtPriceX96: stop, tick },
      index: crossed === null ? index : isDown ? index - 1 : index + 1,
      paid: amountIn + feeOn(amountIn, fee),
      got: amountOut,
    }
  }

  return {
    price: () => price,
    snapshot: (): PoolSnapshot => ({ ...price, liquidity: activeLiquidityAt(map, price.tick) }),
    reserves: () => reservesFromTickMap(map, price.sqrtPriceX96),
    depth: () => depthOf(map, price.sqrtPriceX96),
    /** Adds to or removes from a position; returns the amounts of the event. */
    change: (range: Range, liquidityDelta: bigint): RawAmounts => {
      const amounts = amountsOf(range, liquidityDelta)
      const after = applyLiquidityDelta(map, { ...range, liquidityDelta })
      if (!after.known) throw new Error(`liquidity change is impossible: ${after.reason}`)
      map = after.value
      return amounts
    },
    /** Trades until the price reaches the limit; returns the pool's amounts. */
    swapTo: (limit: bigint, fee: number): RawAmounts => {
      const isDown = limit < price.sqrtPriceX96
      let index = map.ticks.findLastIndex((tick) => tick <= price.tick)
      let paid = 0n
      let got = 0n
      while (price.sqrtPriceX96 !== limit) {
        const step = stepTo(limit, fee, index)
        paid += step.paid
        got += step.got
        price = step.price
        index = step.index
      }
      return isDown ? { amount0: paid, amount1: -got } : { amount0: -got, amount1: paid }
    },
  }
}

export type SyntheticPool = ReturnType<typeof createSyntheticPool>
