import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Position, poolWith, priceAtTick } from '../../../test/support/domain/swap-pool.ts'
import {
  sqrtPriceAtTick,
  sqrtPriceMaxX96,
  sqrtPriceMinX96,
  tickAtSqrtPrice,
  tickMax,
  tickMin,
} from '../math/tick-math.ts'
import { activeLiquidityAt, getTick } from '../pool/tick-map.ts'
import { type SwapOrder, type SwapPool, type SwapResult, simulateSwap } from './simulate-swap.ts'
import { stepOfInput, stepOfOutput } from './swap-step.ts'

/*
 * Pools of every tick spacing with prices, positions and limits on and beside the ticks at which
 * the contracts' loop stops: positions, ends of bitmap words, and the bounds.
 */

const spacings = [1, 10, 60, 16_383] as const

type SpacedPool = SwapPool & { readonly tickSpacing: number }

/** The loop of the contracts: one word of the bitmap at a time, with or without liquidity. */
const swapWordByWord = (pool: SpacedPool, order: SwapOrder, limitX96: bigint): SwapResult => {
  const { tickMap, tickSpacing } = pool
  const { zeroForOne, exact, fee } = order
  let { sqrtPriceX96, tick } = pool.price
  let { liquidity } = pool
  let remaining = order.amount
  let [amountIn, amountOut, feeAmount, ticksCrossed] = [0n, 0n, 0n, 0]
  while (remaining > 0n && sqrtPriceX96 !== limitX96) {
    const compressed = Math.floor(tick / tickSpacing) + (zeroForOne ? 0 : 1)
    const word = Math.floor(compressed / 256)
    const direction = zeroForOne ? -1 : 1
    let bit = compressed
    const isSet = () => getTick(tickMap, bit * tickSpacing).gross > 0n
    while (!isSet() && Math.floor((bit + direction) / 256) === word) bit += direction
    const next = Math.max(tickMin, Math.min(tickMax, bit * tickSpacing))
    const nextX96 = sqrtPriceAtTick(next)
    const isPast = zeroForOne ? nextX96 < limitX96 : nextX96 > limitX96
    const span = {
      sqrtPriceX96,
      targetX96: isPast ? limitX96 : nextX96,
      liquidity,
      zeroForOne,
      fee,
    }
    const step = exact === 'input' ? stepOfInput(span, remaining) : stepOfOutput(span, remaining)
    remaining -= exact === 'input' ? step.amountIn + step.feeAmount : step.amountOut
    amountIn += step.amountIn + step.feeAmount
    amountOut += step.amountOut
    feeAmount += step.feeAmount
    if (step.sqrtPriceX96 === nextX96) {
      const { net, gross } = getTick(tickMap, next)
      liquidity += zeroForOne ? -net : net
      ticksCrossed += gross > 0n ? 1 : 0
      tick = zeroForOne ? next - 1 : next
    } else if (step.sqrtPriceX96 !== sqrtPriceX96) tick = tickAtSqrtPrice(step.sqrtPriceX96)
    sqrtPriceX96 = step.sqrtPriceX96
  }
  const filled = remaining === 0n
  const price = { sqrtPriceX96, tick }
  return { amountIn, amountOut, feeAmount, filled, price, liquidity, ticksCrossed }
}

/** Ticks at which something may happen, as multiples of the spacing. */
const unitsOf = (tickSpacing: number): readonly number[] => {
  const last = Math.floor(tickMax / tickSpacing)
  const words = Math.floor(last / 256) * 256
  const near = [-257, -256, -255, -1, 0, 1, 255, 256, 257, 511, 512]
  const far = [words - 1, words, words + 1, last - 1, last]
  return [...near, ...far, ...far.map((unit) => 0 - unit)].filter((unit) => Math.abs(unit) <= last)
}

const drawnPools = fc.constantFrom(...spacings).chain((tickSpacing) => {
  const ticks = fc.constantFrom(...unitsOf(tickSpacing).map((unit) => unit * tickSpacing))
  const liquidity = fc.oneof(fc.bigInt(1n, 1000n), fc.bigInt(1n, 10n ** 27n))
  const position = fc
    .tuple(ticks, ticks, liquidity)
    .filter(([a, b]) => a !== b)
    .map(([a, b, amount]): Position => [Math.min(a, b), Math.max(a, b), amount])
  return fc
    .record({ tick: ticks, beside: fc.integer({ min: -2, max: 2 }), isCrossed: fc.boolean() })
    .chain(({ tick, beside, isCrossed }) =>
      fc.record({
        positions: fc.array(position, { maxLength: 6 }),
        limitTick: ticks,
        limitBeside: fc.constantFrom(0n, 0n, 1n, -1n),
        price: fc.constant(startAt(tick + beside, isCrossed)),
        tickSpacing: fc.constant(tickSpacing),
      }),
    )
})

/** At a tick; once crossed downwards, a price at a tick counts as the tick below. */
const startAt = (tick: number, isCrossed: boolean) => {
  const price = priceAtTick(Math.max(tickMin + 1, Math.min(tickMax - 1, tick)))
  return isCrossed ? { ...price, tick: price.tick - 1 } : price
}

type Drawn = typeof drawnPools extends fc.Arbitrary<infer Value> ? Value : never

const poolOf = ({ price, tickSpacing, positions }: Drawn): SpacedPool => ({
  ...poolWith(price, tickSpacing, positions),
  tickSpacing,
})

const within = (sqrtPriceX96: bigint): bigint => {
  if (sqrtPriceX96 <= sqrtPriceMinX96) return sqrtPriceMinX96 + 1n
  return sqrtPriceX96 >= sqrtPriceMaxX96 ? sqrtPriceMaxX96 - 1n : sqrtPriceX96
}

const drawnOrders = fc.record({
  exact: fc.constantFrom('input' as const, 'output' as const),
  amount: fc.oneof(fc.bigInt(1n, 3n), fc.bigInt(1n, 10n ** 30n), fc.constant(10n ** 60n)),
  fee: fc.constantFrom(0, 1, 500, 3000, 999_999),
})

/** Towards the drawn limit, or the last one on that side. */
const orderOf = (pool: SwapPool, drawn: Drawn, rest: Omit<SwapOrder, 'zeroForOne'>) => {
  const limitX96 = within(sqrtPriceAtTick(drawn.limitTick) + drawn.limitBeside)
  return { ...rest, limitX96, zeroForOne: limitX96 < pool.price.sqrtPriceX96 }
}

describe('a swap from, to and through the edges of ticks, words and bounds', () => {
  it('is that of the loop over every word', () => {
    fc.assert(
      fc.property(drawnPools, drawnOrders, (drawn, rest) => {
        const pool = poolOf(drawn)
        const order = orderOf(pool, drawn, rest)
        if (order.limitX96 === pool.price.sqrtPriceX96) return
        expect(simulateSwap(pool, order)).toEqual(swapWordByWord(pool, order, order.limitX96))
      }),
      { numRuns: 400 },
    )
  })

  it('ends in the liquidity of the tick map, at a tick of its price', () => {
    fc.assert(
      fc.property(drawnPools, drawnOrders, (drawn, rest) => {
        const pool = poolOf(drawn)
        const { price, liquidity } = simulateSwap(pool, orderOf(pool, drawn, rest))
        expect(liquidity).toBe(activeLiquidityAt(pool.tickMap, price.tick))
        const tick = tickAtSqrtPrice(price.sqrtPriceX96)
        expect([tick, tick - 1]).toContain(price.tick)
      }),
      { numRuns: 300 },
    )
  })

  it('gains nothing there and back', () => {
    fc.assert(
      fc.property(drawnPools, drawnOrders, fc.boolean(), (drawn, { amount, fee }, zeroForOne) => {
        const pool = poolOf(drawn)
        const there = simulateSwap(pool, { zeroForOne, exact: 'input', amount, fee })
        if (there.amountOut === 0n) return
        const after = { ...pool, price: there.price, liquidity: there.liquidity }
        const rest = { exact: 'input' as const, amount: there.amountOut, fee }
        const back = simulateSwap(after, { ...rest, zeroForOne: !zeroForOne })
        expect(back.amountOut).toBeLessThanOrEqual(there.amountIn)
      }),
      { numRuns: 300 },
    )
  })

  it('asks at least the input that an output came from', () => {
    fc.assert(
      fc.property(drawnPools, drawnOrders, fc.boolean(), (drawn, { amount, fee }, zeroForOne) => {
        const pool = poolOf(drawn)
        const needed = simulateSwap(pool, { zeroForOne, exact: 'output', amount, fee })
        if (!needed.filled) return
        const rest = { zeroForOne, amount: needed.amountIn, fee }
        const back = simulateSwap(pool, { ...rest, exact: 'input' })
        expect(back.amountOut).toBeGreaterThanOrEqual(amount)
      }),
      { numRuns: 300 },
    )
  })

  it('asks no more for an output in one part than in two', () => {
    fc.assert(
      fc.property(drawnPools, drawnOrders, fc.boolean(), (drawn, { amount, fee }, zeroForOne) => {
        const pool = poolOf(drawn)
        const rest = { zeroForOne, exact: 'output' as const, fee }
        const whole = simulateSwap(pool, { ...rest, amount: 2n * amount })
        if (!whole.filled) return
        const first = simulateSwap(pool, { ...rest, amount })
        const after = { ...pool, price: first.price, liquidity: first.liquidity }
        const second = simulateSwap(after, { ...rest, amount })
        expect(first.amountIn + second.amountIn).toBeGreaterThanOrEqual(whole.amountIn)
      }),
      { numRuns: 300 },
    )
  })
})
