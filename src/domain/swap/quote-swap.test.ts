import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Position, quotedPoolOf } from '../../../test/support/domain/quoted-pool.ts'
import { addressOf, identityOf, keyOf, tokens } from '../../../test/support/domain/sample-inputs.ts'
import { dynamicFee } from '../dex/uniswap-v4/hook-flags.ts'
import { known, unknown } from '../reading.ts'
import type { OrderAmount, SwapQuoteOrder } from './order-amount.ts'
import { quoteSwap } from './quote-swap.ts'
import type { QuotedPool } from './quoted-pool.ts'

const one = 10n ** 18n
const stockRaw = (raw: bigint): OrderAmount => ({ of: 'stock', raw })
const otherRaw = (raw: bigint): OrderAmount => ({ of: 'other', raw })

const resultOf = (pool: QuotedPool, order: SwapQuoteOrder) => {
  const result = quoteSwap(pool, order)
  if (!result.ok) throw new Error(result.fault.kind)
  return result.value
}

const quoteOf = (pool: QuotedPool, order: SwapQuoteOrder) => {
  const { quote, reasons } = resultOf(pool, order)
  if (quote === null) throw new Error(reasons.join())
  return quote
}

describe('a quote of the sides', () => {
  it.each([
    ['sell', stockRaw(one), 'input', tokens.nvda, tokens.usdg],
    ['sell', otherRaw(one), 'output', tokens.nvda, tokens.usdg],
    ['buy', otherRaw(one), 'input', tokens.usdg, tokens.nvda],
    ['buy', stockRaw(one), 'output', tokens.usdg, tokens.nvda],
  ] as const)('%s %o fixes the %s', (side, amount, exact, tokenIn, tokenOut) => {
    const quote = quoteOf(quotedPoolOf(), { side, amount })
    expect(quote).toMatchObject({ side, exact, tokenIn, tokenOut, filled: true })
    const fixed = exact === 'input' ? quote.amountInRaw : quote.amountOutRaw
    expect(fixed).toBe(one.toString())
  })

  it('is turned around when the stock is token1', () => {
    const classification = { kind: 'canonical', stockIsToken0: false } as const
    const pool = quotedPoolOf({ classification, tick: 6931 })
    const quote = quoteOf(pool, { side: 'sell', amount: stockRaw(one) })
    expect(quote).toMatchObject({ tokenIn: tokens.usdg, tokenOut: tokens.nvda })
    expect(quote.midPriceInOther).toBeCloseTo(0.5, 4)
    expect(quote.executionPriceInOther).toBeCloseTo(0.4985, 4)
  })

  it('gives whole amounts by the decimals of each token, and dollars by the other token', () => {
    const pool = quotedPoolOf({
      tick: -276_324,
      positions: [[-300_000, -200_040, 10n ** 18n]],
      decimals1: known(6),
      prices: { stockPriceUsd: 2, otherPriceUsd: 2 },
    })
    const quote = quoteOf(pool, { side: 'sell', amount: stockRaw(2n * one) })
    expect(quote.amountIn).toBe(2)
    expect(quote.amountOut).toBeCloseTo(1.994, 3)
    expect(quote.midPriceInOther).toBeCloseTo(1, 4)
    expect(quote.executionPriceInOther).toBeCloseTo(0.997, 3)
    expect(quote.executionPriceUsd).toBeCloseTo(2 * 0.997, 3)
  })
})

describe('price impact and cost', () => {
  it('differ by the fee', () => {
    const quote = quoteOf(quotedPoolOf(), { side: 'sell', amount: stockRaw(1000n * one) })
    // 0.1 % of the liquidity moves the price by 0.2 %, of which the average is half.
    expect(quote.priceImpactBps).toBeCloseTo(9.96, 2)
    expect(quote.costBps).toBeCloseTo(30 + 9.93, 2)
    expect(quote.feeAmountRaw).toBe((3n * one).toString())
  })

  it('are exact for a trade whose impact no float would show', () => {
    const wide: readonly Position[] = [[-60_000, 60_000, 10n ** 36n]]
    const pool = quotedPoolOf({ positions: wide })
    const quote = quoteOf(pool, { side: 'sell', amount: stockRaw(10n ** 20n) })
    expect(quote.priceImpactBps).toBeGreaterThan(0)
    expect(quote.priceImpactBps).toBeLessThan(1e-9)
    expect(quote.costBps).toBeCloseTo(30, 9)
  })

  it('are not known for a swap of nothing', () => {
    const quote = quoteOf(quotedPoolOf(), { side: 'sell', amount: stockRaw(1n) })
    expect(quote).toMatchObject({ amountInRaw: '1', amountOutRaw: '0', feeAmountRaw: '1' })
    expect(quote).toMatchObject({ priceImpactBps: null, costBps: 10_000 })
    expect(quote.executionPriceInOther).toBeNull()
  })

  it('are never negative, the impact never above the cost', () => {
    const drawn = fc.record({
      tick: fc.integer({ min: -50_000, max: 50_000 }),
      amount: fc.bigInt({ min: 1n, max: 10n ** 27n }),
      side: fc.constantFrom('buy' as const, 'sell' as const),
      of: fc.constantFrom('stock' as const, 'other' as const),
      stockIsToken0: fc.boolean(),
    })
    fc.assert(
      fc.property(drawn, ({ tick, amount, side, of, stockIsToken0 }) => {
        const classification = { kind: 'canonical', stockIsToken0 } as const
        const pool = quotedPoolOf({ tick, classification })
        const quote = quoteOf(pool, { side, amount: { of, raw: amount } })
        const { priceImpactBps, costBps } = quote
        if (costBps === null) return
        expect(costBps).toBeGreaterThanOrEqual(0)
        expect(costBps).toBeLessThanOrEqual(10_000)
        if (priceImpactBps === null) return
        expect(priceImpactBps).toBeGreaterThanOrEqual(0)
        expect(priceImpactBps).toBeLessThanOrEqual(costBps)
      }),
    )
  })
})

describe('an amount', () => {
  const pool = quotedPoolOf({ decimals1: known(6), prices: { stockPriceUsd: 3, otherPriceUsd: 2 } })
  const inOf = (order: SwapQuoteOrder) => quoteOf(pool, order).amountInRaw

  it('of whole tokens is exact to the last digit', () => {
    const whole = { digits: 123_456_789_012_345_678_901n, decimals: 18 }
    expect(inOf({ side: 'sell', amount: { of: 'stock', whole } })).toBe('123456789012345678901')
    const other = { digits: 15n, decimals: 1 }
    expect(inOf({ side: 'buy', amount: { of: 'other', whole: other } })).toBe('1500000')
  })

  it('of dollars is worth them by the price of the token paid', () => {
    expect(inOf({ side: 'sell', amount: { of: 'usd', usd: 6 } })).toBe((2n * one).toString())
    expect(inOf({ side: 'buy', amount: { of: 'usd', usd: 6 } })).toBe('3000000')
  })

  it.each([
    [{ of: 'other', whole: { digits: 1n, decimals: 7 } }, 'too-many-decimals'],
    [{ of: 'other', whole: { digits: 1n << 250n, decimals: 0 } }, 'too-large'],
    [{ of: 'other', raw: 1n << 256n }, 'too-large'],
    [{ of: 'usd', usd: 1e-7 }, 'too-small'],
  ] as const)('%o is %s', (amount, kind) => {
    expect(quoteSwap(pool, { side: 'buy', amount })).toMatchObject({ ok: false, fault: { kind } })
  })
})

describe('an order that the liquidity does not fill', () => {
  it('gets what is possible', () => {
    const quote = quoteOf(quotedPoolOf(), { side: 'buy', amount: stockRaw(10n ** 30n) })
    expect(quote.filled).toBe(false)
    expect(BigInt(quote.amountOutRaw)).toBeLessThan(10n ** 30n)
    expect([quote.liquidityAfter, quote.ticksCrossed]).toEqual(['0', 1])
  })

  it('gets nothing from an empty pool', () => {
    const pool = quotedPoolOf({ positions: [] })
    const quote = quoteOf(pool, { side: 'buy', amount: stockRaw(one) })
    expect(quote).toMatchObject({ filled: false, amountInRaw: '0', amountOutRaw: '0' })
    expect([quote.costBps, quote.executionPriceInOther]).toEqual([null, null])
  })
})

describe('there is no quote', () => {
  const order: SwapQuoteOrder = { side: 'sell', amount: { of: 'usd', usd: 5 } }
  const v4 = { ...identityOf(), version: 'v4', protocol: 'uniswap-v4' } as const
  const deltaHook = addressOf(0x08)

  it.each([
    ['uninitialised', { pool: { price: null } }],
    ['index_gap', { pool: { mapFault: 'index_gap' } }],
    ['index_gap', { tickMap: null }],
    ['reserve_short', { pool: { mapFault: 'reserve_short' } }],
    ['reserve_rebasing', { isRebasing: true }],
    ['hook_custom_accounting', { pool: { mapFault: 'hook_custom_accounting' } }],
    ['hook_custom_accounting', { pool: { key: keyOf({ hooks: deltaHook }) } }],
    ['fee_unknown', { pool: v4 }],
    ['decimals_unknown', { decimals0: unknown('unread') }],
    ['usd_price_missing', { prices: { stockPriceUsd: null, otherPriceUsd: 1 } }],
  ] as const)('%s', (reason, parts) => {
    expect(resultOf(quotedPoolOf(parts), order)).toEqual({
      quote: null,
      reasons: [reason],
      assumptions: [],
    })
  })

  it('for all reasons at once', () => {
    const pool = quotedPoolOf({ pool: { ...v4, price: null }, decimals0: unknown('unread') })
    const reasons = ['uninitialised', 'fee_unknown', 'decimals_unknown']
    expect(resultOf(pool, order).reasons).toEqual(reasons)
  })

  it('in whole tokens without decimals, but in raw amounts', () => {
    const pool = quotedPoolOf({ decimals0: unknown('unread') })
    const quote = quoteOf(pool, { side: 'sell', amount: stockRaw(one) })
    expect(quote).toMatchObject({ amountIn: null, midPriceInOther: null, filled: true })
    expect(quote).toMatchObject({ executionPriceInOther: null, executionPriceUsd: null })
    expect(quote.amountOut).toBeCloseTo(0.997, 3)
    expect(quote.costBps).toBeCloseTo(30, 1)
  })
})

describe('a quote assumes', () => {
  const fees = { lpFee: 500, protocolFee: 0, block: 1 }
  const assumptionsOf = (fee: number, hooks: `0x${string}`) =>
    resultOf(
      quotedPoolOf({
        pool: { version: 'v4', protocol: 'uniswap-v4', key: keyOf({ fee, hooks }), fees },
      }),
      {
        side: 'buy',
        amount: stockRaw(one),
      },
    ).assumptions

  it.each([
    [[], 500, addressOf(0)],
    [[], 500, addressOf(0x2000)],
    [['hook_passive'], 500, addressOf(0x80)],
    [['hook_passive'], 500, addressOf(0x40)],
    [['fee_as_last_read'], dynamicFee, addressOf(0x2000)],
    [['fee_as_last_read', 'hook_passive'], dynamicFee, addressOf(0x80)],
  ] as const)('%j with the fee %i and the hook %s', (assumptions, fee, hooks) => {
    expect(assumptionsOf(fee, hooks)).toEqual(assumptions)
  })
})
