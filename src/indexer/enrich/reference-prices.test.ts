import { describe, expect, it } from 'vitest'
import { createDeepPools } from '../../../test/support/domain/deep-pools.ts'
import { tokens } from '../../../test/support/domain/sample-market.ts'
import { beaconStandard, standardWith } from '../../../test/support/domain/sample-standard.ts'
import { listingOf, one } from '../../../test/support/indexer/market.ts'
import { noTrail, type Quote } from '../../domain/price/quote.ts'
import { policyDefault } from '../../domain/status/freshness.ts'
import { type Stock, unverifiedStock } from '../../domain/stock/stock.ts'
import type { Address } from '../../domain/units.ts'
import { createReferencePrices } from './reference-prices.ts'

const { apple, weth, usdg, meme } = tokens
/** A Friday, 03:00 in New York: the feeds are live. */
const now = 1_800_000_000
/** The Sunday after, in the morning. */
const closed = now + 2 * 86_400

const quoteOf = (address: Address, given: Partial<Quote>): Quote => ({
  address,
  source: 'chainlink',
  per: 'token',
  bid: null,
  ask: null,
  last: null,
  publishedTs: now,
  fetchedTs: now,
  halted: false,
  haltTs: null,
  lapse: null,
  ...noTrail,
  ...given,
})

const stock: Stock = {
  ...listingOf(apple, 'AAPL'),
  ...unverifiedStock,
  verdict: 'verified',
  multiplier: 2n * one,
  readTs: now,
}

const createDesk = (given: { stock?: Stock; before?: readonly Quote[] } = {}) => {
  const listed = given.stock ?? stock
  return createReferencePrices({
    policy: policyDefault,
    trusted: [
      { address: usdg, symbol: 'USDG' },
      { address: weth, symbol: 'WETH' },
    ],
    stocks: () => [listed],
    standardOf: beaconStandard(null),
    stockOf: (address) => (address === apple ? listed : undefined),
    stored: given.before ?? [],
  })
}

it('a wrapper is priced by its asset, never by quotes of its own', () => {
  const wrapped: Address = `0x${'77'.repeat(20)}`
  const wrapper = { ...stock, address: wrapped, symbol: 'WAAPL', multiplier: (11n * one) / 10n }
  const wraps = { asset: apple, decimals: 18, assetDecimals: 8 }
  const known = new Map<Address, Stock>([
    [apple, stock],
    [wrapped, wrapper],
  ])
  const createWith = (stocks: ReadonlyMap<Address, Stock>) =>
    createReferencePrices({
      policy: policyDefault,
      trusted: [],
      stocks: () => [...stocks.values()],
      stockOf: (address) => stocks.get(address),
      standardOf: (address) =>
        standardWith(address === wrapped ? { proof: 'erc4626', wraps } : { proof: 'listed' }),
      stored: [
        quoteOf(apple, { source: 'issuer', per: 'share', bid: 99, ask: 101 }),
        quoteOf(wrapped, { source: 'issuer', per: 'share', bid: 1, ask: 1 }),
      ],
    })
  const { reference } = createWith(known).referenceOf(wrapped, now)
  expect(reference).toMatchObject({ source: 'issuer', fresh: true, independent: true })
  expect(reference?.usd).toBeCloseTo(100 * 2 * 1.1, 9)
  const unread = new Map(known).set(wrapped, { ...wrapper, multiplier: null })
  expect(createWith(unread).referenceOf(wrapped, now).reference).toBeNull()
  const disproven = new Map(known).set(apple, { ...stock, verdict: 'disproven' })
  expect(createWith(disproven).referenceOf(wrapped, now).reference).toBeNull()
  expect(createWith(new Map([[wrapped, wrapper]])).referenceOf(wrapped, now).reference).toBeNull()
})

const issuer = quoteOf(apple, { source: 'issuer', per: 'share', bid: 99, ask: 101 })

/** Deep pools that price a token in another, each at a price. */
const poolsOf = (...pools: readonly (readonly [token: Address, other: Address, price: number])[]) =>
  createDeepPools(
    ...pools.map(([token, other, price]) => ({
      token,
      other,
      price,
      depth: other === usdg ? 1e6 : 400,
    })),
  ).pricingPools

const at = { ts: now, now }

describe('the reference of a stock', () => {
  it('is the issuer’s quote by the multiplier of its time', () => {
    const pending = { pendingMultiplier: 3n * one, multiplierEffectiveTs: now + 10 }
    const desk = createDesk({ stock: { ...stock, ...pending } })
    desk.update([issuer])
    expect(desk.referenceOf(apple, now).reference).toMatchObject({ usd: 200, source: 'issuer' })
    expect(desk.referenceOf(apple, now + 9).reference).toMatchObject({ usd: 200 })
    // A share's price of before the change is still that of the share of before.
    expect(desk.referenceOf(apple, now + 10).reference).toMatchObject({ usd: 200 })
    desk.update([{ ...issuer, bid: 70, ask: 70, publishedTs: now + 11 }])
    expect(desk.referenceOf(apple, now + 11).reference).toMatchObject({ usd: 210, fresh: true })
  })

  it('is nothing without a multiplier, without a quote, and for an unlisted token', () => {
    const desk = createDesk({ stock: { ...stock, multiplier: null } })
    expect(desk.referenceOf(apple, now).reference).toBe(null)
    desk.update([issuer, quoteOf(meme, { last: 5 })])
    expect(desk.referenceOf(apple, now).reference).toBe(null)
    expect(desk.referenceOf(meme, now).reference).toBe(null)
  })

  it('is Chainlink’s while its feeds are live, as it is', () => {
    const desk = createDesk()
    desk.update([quoteOf(apple, { last: 190 }), quoteOf(apple, { last: 191, publishedTs: closed })])
    expect(desk.referenceOf(apple, closed).reference).toMatchObject({ usd: 191, fresh: false })
    desk.update([quoteOf(apple, { last: 190 })])
    expect(desk.referenceOf(apple, now).reference).toMatchObject({ usd: 190, independent: true })
  })
})

describe('the quotes', () => {
  it('are the latest of each source, those of the last run first', () => {
    const before = [issuer, quoteOf(apple, { last: 190 })]
    const desk = createDesk({ before })
    expect(desk.quotes()).toEqual(before)
    const next = quoteOf(apple, { last: 192, acceptedUsd: 192, acceptedTs: now })
    desk.update([next, quoteOf(weth, { last: 2500 })])
    expect(desk.quotes()).toEqual([issuer, next, quoteOf(weth, { last: 2500 })])
  })
})

describe('a quote that jumps', () => {
  const quoted = (usd: number, seconds: number): Quote => ({
    ...issuer,
    bid: usd,
    ask: usd,
    publishedTs: now + seconds,
    fetchedTs: now + seconds,
  })

  it('waits as long with a restart as without one', () => {
    let desk = createDesk()
    for (const [seconds, usd] of [
      [0, 100],
      [5, 1000],
      [100, 1000],
      [200, 1000],
    ] as const) {
      desk.update([quoted(usd, seconds)])
      desk = createDesk({ before: desk.quotes() })
      const { reference, unconfirmed } = desk.referenceOf(apple, now + seconds)
      expect([reference?.usd, unconfirmed]).toEqual([200, seconds === 0 ? null : 'issuer'])
    }
    desk.update([quoted(1000, 305)])
    desk.acceptConfirmed(now + 305)
    expect(desk.referenceOf(apple, now + 305).reference).toMatchObject({ usd: 2000, fresh: true })
    expect(desk.quotes()).toMatchObject([{ acceptedUsd: 2000, jumpTs: null }])
  })

  it('is confirmed by deep pools, and remains so', () => {
    const desk = createDesk()
    desk.update([quoteOf(usdg, { last: 1 }), quoted(100, 0), quoted(300, 5)])
    desk.updatePoolQuotes(poolsOf([apple, usdg, 580], [apple, usdg, 581]), at)
    expect(desk.quotes()).toContainEqual(expect.objectContaining({ source: 'pools', pools: 2 }))
    desk.acceptConfirmed(now + 5)
    const again = createDesk({ before: desk.quotes() })
    expect(again.referenceOf(apple, now + 40).reference).toMatchObject({ usd: 600, fresh: true })
  })
})

describe('a source that withdraws its price', () => {
  it('leaves the last one, which is no reference any more', () => {
    const desk = createDesk()
    desk.update([issuer, { ...issuer, bid: 50, publishedTs: now + 1 }])
    const accepted = { acceptedUsd: 200, acceptedTs: now }
    expect(desk.quotes()).toEqual([{ ...issuer, ...accepted, lapse: 'unpriced' }])
    expect(desk.referenceOf(apple, now).reference).toMatchObject({ usd: 200, fresh: false })
    desk.update([{ ...issuer, publishedTs: now + 2 }])
    expect(desk.referenceOf(apple, now + 2).reference).toMatchObject({ usd: 200, fresh: true })
  })

  it('is reported while its clock is ahead of ours, until it is right again', () => {
    const desk = createDesk()
    desk.update([issuer])
    desk.rejectFutureQuote(issuer, now + 5)
    expect(desk.referenceOf(apple, now + 5)).toMatchObject({
      reference: { usd: 200, publishedTs: now, fresh: false },
      clockAhead: true,
    })
    desk.update([{ ...issuer, publishedTs: now + 10 }])
    expect(desk.referenceOf(apple, now + 10)).toMatchObject({
      reference: { fresh: true },
      clockAhead: false,
    })
  })

  it('is reported also if it never had one, and again after a restart', () => {
    const desk = createDesk()
    desk.rejectFutureQuote({ address: apple, source: 'issuer' }, now)
    const ahead = { reference: null, clockAhead: true }
    expect(desk.referenceOf(apple, now)).toMatchObject(ahead)
    expect(createDesk({ before: desk.quotes() }).referenceOf(apple, now)).toMatchObject(ahead)
  })
})

describe('what our own pools say', () => {
  it('of ETH is its price in dollars of a known price, of a dollar 1 while they agree', () => {
    const desk = createDesk()
    desk.update([quoteOf(usdg, { last: 0.999 })])
    desk.updatePoolQuotes(poolsOf([weth, usdg, 2500]), at)
    expect(desk.referenceOf(weth, now).reference).toMatchObject({
      source: 'pools',
      usd: 2500 * 0.999,
      independent: false,
    })
    const other = createDesk()
    other.update([quoteOf(weth, { last: 2500 })])
    other.updatePoolQuotes(poolsOf([usdg, weth, 0.000401]), at)
    expect(other.referenceOf(usdg, now).reference).toMatchObject({ usd: 1, source: 'pools' })
  })

  it('of a dollar is taken back in the pass in which they no longer agree', () => {
    const desk = createDesk()
    desk.update([quoteOf(weth, { last: 2500 })])
    desk.updatePoolQuotes(poolsOf([usdg, weth, 0.0004]), at)
    expect(desk.referenceOf(usdg, now).reference).toMatchObject({ usd: 1 })
    desk.updatePoolQuotes(poolsOf([usdg, weth, 0.00042]), at)
    expect(desk.referenceOf(usdg, now).reference).toBe(null)
  })

  it('of a dollar that they do not agree on is nothing', () => {
    const desk = createDesk()
    desk.update([quoteOf(weth, { last: 2500 })])
    desk.updatePoolQuotes(poolsOf([usdg, weth, 0.00042]), at)
    expect(desk.referenceOf(usdg, now).reference).toBe(null)
  })

  it('is never circular: two tokens without a price from outside have none', () => {
    const desk = createDesk()
    const anchored = poolsOf([weth, usdg, 2500], [usdg, weth, 0.0004])
    desk.updatePoolQuotes(anchored, at)
    desk.updatePoolQuotes(anchored, at)
    expect(desk.quotes()).toEqual([])
  })

  it('of a stock is the median in dollars, used only without a better source', () => {
    const desk = createDesk()
    desk.update([quoteOf(weth, { last: 2500 })])
    const anchored = poolsOf([apple, weth, 0.08])
    desk.updatePoolQuotes(anchored, at)
    expect(desk.referenceOf(apple, now).reference).toEqual({
      usd: expect.closeTo(200, 9),
      source: 'pools',
      publishedTs: now,
      independent: false,
      fresh: false,
    })
    desk.update([quoteOf(apple, { last: 190 })])
    expect(desk.referenceOf(apple, now).reference).toMatchObject({ source: 'chainlink' })
  })

  it('of a stock may lean on ETH as the pools price it', () => {
    const desk = createDesk()
    desk.update([quoteOf(usdg, { last: 1 })])
    const anchored = poolsOf([weth, usdg, 2500], [apple, weth, 0.08])
    desk.updatePoolQuotes(anchored, at)
    expect(desk.referenceOf(apple, now).reference).toMatchObject({
      usd: expect.closeTo(200, 9),
      source: 'pools',
    })
  })

  it('is as old as the index, and no longer believed when that is old', () => {
    const desk = createDesk()
    desk.update([quoteOf(usdg, { last: 1 })])
    const anchored = poolsOf([weth, usdg, 2500])
    desk.updatePoolQuotes(anchored, { ts: now - 120, now })
    expect(desk.referenceOf(weth, now).reference).toMatchObject({ publishedTs: now - 120 })
    expect(desk.referenceOf(weth, now + 1).reference).toBe(null)
  })
})
