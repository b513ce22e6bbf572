import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Position, poolWith, priceAtTick } from '../../../test/support/domain/swap-pool.ts'
import { sqrtPriceAtTick, sqrtPriceMaxX96, sqrtPriceMinX96 } from '../math/tick-math.ts'
import { activeLiquidityAt, buildTickMap } from '../pool/tick-map.ts'
import { type SwapOrder, simulateSwap, ticksCrossedMax } from './simulate-swap.ts'

const order = (rest: Partial<SwapOrder>): SwapOrder => ({
  zeroForOne: true,
  exact: 'input',
  amount: 10n ** 18n,
  fee: 3000,
  ...rest,
})

describe('a swap in one range', () => {
  const pool = poolWith(priceAtTick(0), 60, [[-6000, 6000, 10n ** 24n]])

  it('takes the fee from the input', () => {
    const { amountIn, feeAmount, filled } = simulateSwap(pool, order({}))
    expect([amountIn, feeAmount, filled]).toEqual([10n ** 18n, 3n * 10n ** 15n, true])
  })

  it('pays less than the price says, by the fee and the price impact', () => {
    const { amountOut } = simulateSwap(pool, order({}))
    expect(amountOut).toBeLessThan(997n * 10n ** 15n)
    expect(amountOut).toBeGreaterThan(996n * 10n ** 15n)
  })

  it('uses up an amount of one, which is all fee', () => {
    const { amountIn, amountOut, feeAmount, price } = simulateSwap(pool, order({ amount: 1n }))
    expect([amountIn, amountOut, feeAmount]).toEqual([1n, 0n, 1n])
    // As in the contracts, a price at the start of a bitmap word counts as the tick below.
    expect(price).toEqual({ ...pool.price, tick: -1 })
  })

  it('ends at the last price of the contracts when the liquidity ends first', () => {
    const down = simulateSwap(pool, order({ amount: 10n ** 40n }))
    expect(down.filled).toBe(false)
    expect(down.amountIn).toBeLessThan(10n ** 40n)
    expect(down.price.sqrtPriceX96).toBe(sqrtPriceMinX96 + 1n)
    const up = simulateSwap(pool, order({ zeroForOne: false, amount: 10n ** 40n }))
    expect(up.price.sqrtPriceX96).toBe(sqrtPriceMaxX96 - 1n)
    expect([down.liquidity, up.liquidity]).toEqual([0n, 0n])
    expect([down.ticksCrossed, up.ticksCrossed]).toEqual([1, 1])
  })

  it('ends after more ticks than a transaction can cross', () => {
    const ticks = Array.from({ length: ticksCrossedMax + 1 }, (_, at) => ({
      tick: -1 - at,
      net: at === ticksCrossedMax ? BigInt(ticksCrossedMax) : -1n,
      gross: at === ticksCrossedMax ? BigInt(ticksCrossedMax) : 1n,
    }))
    const built = buildTickMap(ticks)
    if (!built.known) throw new Error(built.reason)
    const price = priceAtTick(0)
    const deep = { price, liquidity: 0n, tickMap: built.value, tickSpacing: 1 }
    const { filled, ticksCrossed } = simulateSwap(deep, order({ amount: 10n ** 30n }))
    expect([filled, ticksCrossed]).toEqual([false, ticksCrossedMax])
  })

  it('swaps nothing for an output at a fee of everything', () => {
    const all = simulateSwap(pool, order({ exact: 'output', fee: 1_000_000 }))
    expect([all.amountIn, all.amountOut, all.filled]).toEqual([0n, 0n, false])
  })

  it('ends at a given price', () => {
    const limitX96 = sqrtPriceAtTick(-120)
    const { price, filled } = simulateSwap(pool, order({ amount: 10n ** 30n, limitX96 }))
    expect([price.sqrtPriceX96, filled]).toEqual([limitX96, false])
  })

  it.each([sqrtPriceAtTick(120), sqrtPriceMaxX96, 2n ** 200n])(
    'swaps nothing towards a price on the other side (%s)',
    (limitX96) => {
      const { amountIn, price } = simulateSwap(pool, order({ limitX96 }))
      expect([amountIn, price]).toEqual([0n, pool.price])
    },
  )

  it('ends at the last price of the contracts where the limit lies beyond it', () => {
    for (const zeroForOne of [true, false]) {
      const rest = { zeroForOne, amount: 10n ** 40n }
      for (const limitX96 of zeroForOne ? [0n, sqrtPriceMinX96] : [sqrtPriceMaxX96, 2n ** 200n]) {
        const limited = simulateSwap(pool, order({ ...rest, limitX96 }))
        expect(limited).toEqual(simulateSwap(pool, order(rest)))
      }
    }
  })
})

const positions = fc
  .array(
    fc.record({
      lower: fc.integer({ min: -30, max: 29 }),
      width: fc.integer({ min: 1, max: 40 }),
      liquidity: fc.bigInt({ min: 1n, max: 10n ** 24n }),
    }),
    { minLength: 1, maxLength: 8 },
  )
  .map((drawn) =>
    drawn.map(
      ({ lower, width, liquidity }): Position => [lower * 60, (lower + width) * 60, liquidity],
    ),
  )

const drawnPools = fc
  .record({ tick: fc.integer({ min: -1500, max: 1500 }), positions })
  .map((drawn) => poolWith(priceAtTick(drawn.tick), 60, drawn.positions))

const drawnOrders = fc.record({
  zeroForOne: fc.boolean(),
  amount: fc.bigInt({ min: 1n, max: 10n ** 25n }),
  fee: fc.integer({ min: 0, max: 100_000 }),
})

describe('a swap through drawn positions', () => {
  it('ends in the liquidity of the tick map', () => {
    fc.assert(
      fc.property(drawnPools, drawnOrders, fc.boolean(), (pool, drawn, isInput) => {
        const exact = isInput ? 'input' : 'output'
        const { price, liquidity } = simulateSwap(pool, { ...drawn, exact })
        expect(liquidity).toBe(activeLiquidityAt(pool.tickMap, price.tick))
      }),
    )
  })

  it('never pays more for an input in two parts', () => {
    fc.assert(
      fc.property(drawnPools, drawnOrders, fc.bigInt(1n, 99n), (pool, drawn, percent) => {
        const first = { ...drawn, amount: (drawn.amount * percent) / 100n + 1n }
        const whole = simulateSwap(pool, { ...drawn, exact: 'input', amount: drawn.amount + 1n })
        const part = simulateSwap(pool, { ...first, exact: 'input' })
        const after = { ...pool, price: part.price, liquidity: part.liquidity }
        const rest = drawn.amount + 1n - first.amount
        const second = simulateSwap(after, { ...drawn, exact: 'input', amount: rest })
        expect(part.amountOut + second.amountOut).toBeLessThanOrEqual(whole.amountOut)
      }),
    )
  })

  it('asks at least the input that an output came from', () => {
    fc.assert(
      fc.property(drawnPools, drawnOrders, (pool, drawn) => {
        const needed = simulateSwap(pool, { ...drawn, exact: 'output' })
        if (!needed.filled) return
        const back = simulateSwap(pool, { ...drawn, exact: 'input', amount: needed.amountIn })
        expect(back.amountOut).toBeGreaterThanOrEqual(drawn.amount)
      }),
    )
  })

  it('pays more for more', () => {
    fc.assert(
      fc.property(drawnPools, drawnOrders, fc.bigInt(1n, 10n ** 20n), (pool, drawn, more) => {
        const less = simulateSwap(pool, { ...drawn, exact: 'input' })
        const greater = simulateSwap(pool, {
          ...drawn,
          exact: 'input',
          amount: drawn.amount + more,
        })
        expect(greater.amountOut).toBeGreaterThanOrEqual(less.amountOut)
      }),
    )
  })
})
