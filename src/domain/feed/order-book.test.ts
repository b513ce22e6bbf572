import { describe, expect, it } from 'vitest'
import { quotedPoolOf } from '../../../test/support/domain/quoted-pool.ts'
import { toApprox } from '../math/pool-price.ts'
import { known, unknown } from '../reading.ts'
import { quoteSwap } from '../swap/quote-swap.ts'
import type { QuotedPool } from '../swap/quoted-pool.ts'
import type { SwapSide } from '../views/swap-quote.ts'
import { type BookOrder, buildOrderBook } from './order-book.ts'

const positions = [
  [-60_000, 60_000, 10n ** 24n],
  [-120, 180, 3n * 10n ** 24n],
] as const
const usual = quotedPoolOf({ positions, tick: 30 })
const turned = quotedPoolOf({
  ...{ positions, tick: 30, decimals0: known(6), decimals1: known(18) },
  classification: { kind: 'canonical', stockIsToken0: false },
})

const sum = (orders: readonly BookOrder[], of: (order: BookOrder) => number): number =>
  orders.reduce((total, order) => total + of(order), 0)

/** What a quote pays or receives of the other token for all stock of these orders. */
const quotedFor = (quoted: QuotedPool, side: SwapSide, orders: readonly BookOrder[]) => {
  const decimals = quoted.classification.stockIsToken0 ? quoted.decimals0 : quoted.decimals1
  if (!decimals.known) throw new Error('no decimals')
  const scale = 10n ** BigInt(decimals.value)
  const raw = orders.reduce(
    (total, { amount }) => total + (amount.numerator * scale) / amount.denominator,
    0n,
  )
  const result = quoteSwap(quoted, { side, amount: { of: 'stock', raw } })
  if (!result.ok || result.value.quote === null) throw new Error('no quote')
  const { amountIn, amountOut } = result.value.quote
  return side === 'buy' ? amountIn : amountOut
}

describe.each([
  ['the stock as token0', usual],
  ['the stock as token1, with other decimals', turned],
])('%s', (_what, quoted) => {
  const { bids, asks } = buildOrderBook(quoted, 40)

  it('orders add up to what a swap of all of them pays, fee included', () => {
    for (const count of [1, 7, 40]) {
      for (const [side, orders] of [
        ['sell', bids],
        ['buy', asks],
      ] as const) {
        const taken = orders.slice(0, count)
        const total = sum(taken, ({ price, amount }) => toApprox(price) * toApprox(amount))
        const swapped = quotedFor(quoted, side, taken) ?? Number.NaN
        expect(Math.abs(total / swapped - 1)).toBeLessThan(1e-9)
      }
    }
  })

  it('bids fall and asks rise from the price outwards', () => {
    const [bidPrices, askPrices] = [bids, asks].map((orders) =>
      orders.map(({ price }) => toApprox(price)),
    )
    expect(bidPrices).toHaveLength(40)
    expect(bidPrices).toEqual(bidPrices?.toSorted((a, b) => b - a))
    expect(askPrices).toEqual(askPrices?.toSorted((a, b) => a - b))
    expect(bidPrices?.[0]).toBeLessThan(askPrices?.[0] ?? 0)
  })
})

it('has no order where no swap can be simulated', () => {
  const none = { bids: [], asks: [] }
  expect(buildOrderBook(quotedPoolOf({ isRebasing: true }), 5)).toEqual(none)
  expect(buildOrderBook(quotedPoolOf({ tickMap: null }), 5)).toEqual(none)
  expect(buildOrderBook(quotedPoolOf({ decimals1: unknown('decimals-reverted') }), 5)).toEqual(none)
})

it('has no order where nothing lies', () => {
  const narrow = quotedPoolOf({ positions: [[-60, 60, 10n ** 24n]] })
  const { bids, asks } = buildOrderBook(narrow, 40)
  expect(bids.length).toBeLessThan(8)
  expect(asks.length).toBeLessThan(8)
})
