import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Position, poolWith, priceAtTick } from '../../../test/support/domain/swap-pool.ts'
import { buildTickMap } from '../pool/tick-map.ts'
import type { SplitPool } from './marginal-cost.ts'
import { simulateSwap, ticksCrossedMax } from './simulate-swap.ts'
import { type OrderSplit, type SplitOrder, splitOrder } from './split-order.ts'

type Shape = {
  readonly tick: number
  readonly positions: readonly Position[]
  readonly fee: number
  readonly stockIsToken0?: boolean
  /** Whole dollars of 10^18 raw units of the other token. */
  readonly otherUsd?: bigint
}

type DrawnPool = Omit<SplitPool, 'zeroForOne'> & { readonly stockIsToken0: boolean }

const e18 = 10n ** 18n

/** In every pool a token of the stock costs a dollar at tick 0, whatever the other token. */
const splitPool = (shape: Shape): DrawnPool => {
  const { positions, fee, stockIsToken0 = true, otherUsd = 1n } = shape
  // An other token of d dollars lowers the price in it to 1/d.
  const shift = Math.round(Math.log(Number(otherUsd)) / Math.log(1.0001) / 60) * 60
  const side = stockIsToken0 ? 1 : -1
  const at = (tick: number): number => side * (tick - shift)
  const turned = positions.map(([from, to, liquidity]): Position => {
    const [tickLower, tickUpper] = [at(from), at(to)]
    return [Math.min(tickLower, tickUpper), Math.max(tickLower, tickUpper), liquidity]
  })
  return {
    pool: poolWith(priceAtTick(at(shape.tick)), 60, turned),
    stockIsToken0,
    fee,
    otherUsdX256: (otherUsd << 256n) / e18,
  }
}

const even = (liquidity: bigint): readonly Position[] => [[-60_000, 60_000, liquidity]]

const usd = (dollars: number): bigint =>
  BigInt(Math.round(dollars * 1e6)) * (2n ** 256n / 10n ** 6n)

const buyFor = (dollars: number): SplitOrder => ({
  side: 'buy',
  exact: 'input',
  usdX256: usd(dollars),
})

const inDirection = (pools: readonly DrawnPool[], { side }: Pick<SplitOrder, 'side'>) =>
  pools.map((pool) => ({ ...pool, zeroForOne: pool.stockIsToken0 === (side === 'sell') }))

const bought = (...shapes: readonly Shape[]): readonly SplitPool[] =>
  inDirection(shapes.map(splitPool), { side: 'buy' })

/** Dollars of a result, in millionths. */
const micro = (usdX256: bigint): bigint => (usdX256 * 10n ** 6n + (1n << 255n)) >> 256n

describe('an order of several pools', () => {
  it('uses equal pools equally', () => {
    const shape = { tick: 0, positions: even(10n ** 24n), fee: 3000 }
    const pools = bought(shape, shape)
    const { split, single } = splitOrder(pools, buyFor(1000))
    for (const { swap } of split.legs) expect(Number(swap.amountIn) / 1e18).toBeCloseTo(500, 6)
    expect(split.legs).toHaveLength(2)
    expect(micro(split.usdX256)).toBe(1_000_000_000n)
    expect(single?.legs).toHaveLength(1)
    expect(split.stock).toBeGreaterThan(single?.stock ?? 0n)
  })

  it('uses a pool of a higher fee only when the others have moved by the difference', () => {
    const positions = even(10n ** 24n)
    const pools = bought({ tick: 0, positions, fee: 500 }, { tick: 0, positions, fee: 10_000 })
    const usedOf = (dollars: number) =>
      splitOrder(pools, buyFor(dollars)).split.legs.map(({ pool }) => pool.fee)
    // The price moves by the difference of 0.96 % when √price does by 0.48 %: 4,800 dollars.
    expect(usedOf(4000)).toEqual([500])
    expect(usedOf(6000)).toEqual([500, 10_000])
  })

  it('counts other tokens in dollars', () => {
    const pools = bought(
      { tick: 0, positions: even(10n ** 24n), fee: 3000 },
      { tick: 0, positions: even(10n ** 23n), fee: 3000, otherUsd: 3000n },
    )
    const { legs, usdX256 } = splitOrder(pools, buyFor(10_000)).split
    expect(legs.map(({ pool }) => pools.indexOf(pool))).toEqual([1, 0])
    expect(usd(10_000) - usdX256).toBeLessThan(pools[1]?.otherUsdX256 ?? 0n)
  })

  it('is not filled when all liquidity ends', () => {
    const pools = bought(
      { tick: 0, positions: [[-60, 60, 10n ** 21n]], fee: 3000 },
      { tick: 30, positions: [[-60, 600, 10n ** 21n]], fee: 500 },
    )
    const { split, single } = splitOrder(pools, buyFor(1e9))
    expect([split.filled, split.legs.length, single]).toEqual([false, 2, null])
    expect(micro(split.usdX256)).toBeLessThan(100_000_000n)
  })

  it('uses nothing without pools, liquidity or input after the fee', () => {
    const empty = { tick: 0, positions: [], fee: 500 }
    const closed = { tick: 0, positions: even(10n ** 24n), fee: 1_000_000 }
    for (const shapes of [[], [empty], [closed]]) {
      const { split, single } = splitOrder(bought(...shapes), buyFor(1))
      expect([split, single]).toEqual([{ legs: [], stock: 0n, usdX256: 0n, filled: false }, null])
    }
  })
})

it('does not count on what lies beyond more ticks than a transaction can cross', () => {
  const [even21] = bought({ tick: 0, positions: even(10n ** 21n), fee: 0 })
  const thin = Array.from({ length: ticksCrossedMax }, (_, at) => ({
    tick: 1 + at,
    net: -1n,
    gross: 1n,
  }))
  const rest = 10n ** 21n - BigInt(ticksCrossedMax)
  const built = buildTickMap([
    { tick: -1, net: 10n ** 21n, gross: 10n ** 21n },
    ...thin,
    { tick: 60_000, net: -rest, gross: rest },
  ])
  if (!built.known || even21 === undefined) throw new Error('no pool')
  const pool = { ...even21.pool, liquidity: 10n ** 21n, tickMap: built.value, tickSpacing: 1 }
  const { legs, filled } = splitOrder([even21, { ...even21, pool }], buyFor(5000)).split
  expect(filled).toBe(true)
  // √price rises from 1 to 1.0001^5,000 in the one, and takes the rest in the other.
  const most = 1000 * (1.0001 ** (ticksCrossedMax / 2) - 1)
  expect(legs.map(({ share }) => share * 5000)[1]).toBeCloseTo(most, 3)
})

const shapes = fc
  .record({
    tick: fc.integer({ min: -900, max: 900 }),
    positions: fc.array(
      fc
        .record({
          lower: fc.integer({ min: -30, max: 29 }),
          width: fc.integer({ min: 1, max: 40 }),
          liquidity: fc.bigInt({ min: 10n ** 15n, max: 10n ** 24n }),
        })
        .map(
          ({ lower, width, liquidity }): Position => [lower * 60, (lower + width) * 60, liquidity],
        ),
      { minLength: 1, maxLength: 6 },
    ),
    fee: fc.constantFrom(0, 100, 500, 3000, 10_000, 100_000),
    stockIsToken0: fc.boolean(),
    otherUsd: fc.constantFrom(1n, 3000n),
  })
  .map(splitPool)

const orders: fc.Arbitrary<SplitOrder> = fc.oneof(
  fc.integer({ min: 1, max: 100_000 }).map(buyFor),
  fc
    .record({ isBuy: fc.boolean(), stock: fc.bigInt({ min: e18, max: 10n ** 23n }) })
    .map(({ isBuy, stock }) =>
      isBuy
        ? ({ side: 'buy', exact: 'output', stock } as const)
        : ({ side: 'sell', exact: 'input', stock } as const),
    ),
)

/** Each step of a swap rounds its amounts to a raw unit. */
const roundingUnits = 40n
const roundingOf = (pools: readonly SplitPool[]): { stock: bigint; usdX256: bigint } => ({
  stock: roundingUnits,
  usdX256: roundingUnits * pools.reduce((sum, pool) => sum + pool.otherUsdX256, 0n),
})

type Totals = Pick<OrderSplit<SplitPool>, 'stock' | 'usdX256'>

/** Fails when the split gives the trader less than another way to fill the same order. */
const expectNoWorse = (
  split: Totals,
  other: Totals,
  parts: {
    readonly order: SplitOrder
    readonly pools: readonly SplitPool[]
  },
): void => {
  const rounding = roundingOf(parts.pools)
  const { side, exact } = parts.order
  if (exact === 'output') {
    expect(split.usdX256).toBeLessThanOrEqual(other.usdX256 + rounding.usdX256)
  } else if (side === 'buy') {
    expect(split.stock + rounding.stock).toBeGreaterThanOrEqual(other.stock)
  } else expect(split.usdX256 + rounding.usdX256).toBeGreaterThanOrEqual(other.usdX256)
}

/** What whole parts of an order give in the pools; null if one of them cannot be filled. */
const inParts = (
  pools: readonly SplitPool[],
  order: SplitOrder,
  parts: readonly number[],
): Totals | null => {
  const { side, exact } = order
  const total = parts.reduce((sum, part) => sum + part, 0)
  let [stock, usdX256] = [0n, 0n]
  for (const [index, split] of pools.entries()) {
    const whole = 'stock' in order ? order.stock : order.usdX256 / split.otherUsdX256
    const amount = (whole * BigInt(parts[index] ?? 0)) / BigInt(total)
    if (amount === 0n) continue
    const { zeroForOne, fee } = split
    const swap = simulateSwap(split.pool, { zeroForOne, exact, amount, fee })
    if (!swap.filled) return null
    stock += side === 'buy' ? swap.amountOut : swap.amountIn
    usdX256 += (side === 'buy' ? swap.amountIn : swap.amountOut) * split.otherUsdX256
  }
  return { stock, usdX256 }
}

const gridParts = 24

const grid = (pools: number, parts = gridParts): readonly (readonly number[])[] => {
  if (pools === 1) return [[parts]]
  return Array.from({ length: parts + 1 }, (_, first) =>
    grid(pools - 1, parts - first).map((rest) => [first, ...rest]),
  ).flat()
}

const drawnPools = fc.array(shapes, { minLength: 2, maxLength: 3 })

describe('a split over drawn pools', () => {
  it('is no worse than any split on a grid', () => {
    fc.assert(
      fc.property(drawnPools, orders, (drawn, order) => {
        const pools = inDirection(drawn, order)
        const { split, single } = splitOrder(pools, order)
        for (const parts of grid(pools.length)) {
          const other = inParts(pools, order, parts)
          if (other === null) continue
          expect(split.filled).toBe(true)
          expectNoWorse(split, other, { order, pools })
        }
        if (single !== null) expectNoWorse(split, single, { order, pools: [] })
      }),
    )
  })

  it('uses up the order, and what the legs do is what their pools do', () => {
    fc.assert(
      fc.property(drawnPools, orders, (drawn, order) => {
        const pools = inDirection(drawn, order)
        const { exact } = order
        const { split } = splitOrder(pools, order)
        for (const { pool, swap } of split.legs) {
          const { zeroForOne } = pool
          const amount = exact === 'input' ? swap.amountIn : swap.amountOut
          const again = simulateSwap(pool.pool, { zeroForOne, exact, amount, fee: pool.fee })
          expect([again.amountIn, again.amountOut]).toEqual([swap.amountIn, swap.amountOut])
        }
        if ('stock' in order) {
          expect(split.stock === order.stock).toBe(split.filled)
          expect(split.stock).toBeLessThanOrEqual(order.stock)
        } else {
          const rest = order.usdX256 - split.usdX256
          expect(rest).toBeGreaterThanOrEqual(0n)
          const least = split.legs.map(({ pool }) => pool.otherUsdX256)
          expect(least.some((unit) => rest < unit)).toBe(split.filled)
        }
      }),
    )
  })

  it('is never worse with a pool more', () => {
    fc.assert(
      fc.property(drawnPools, shapes, orders, (drawn, added, order) => {
        const more = inDirection([added, ...drawn], order)
        const without = splitOrder(more.slice(1), order).split
        const { split } = splitOrder(more, order)
        if (without.filled) {
          expect(split.filled).toBe(true)
          expectNoWorse(split, without, { order, pools: more })
        } else if (!split.filled && 'stock' in order) {
          expect(split.stock).toBeGreaterThanOrEqual(without.stock)
        }
      }),
    )
  })
})
