import type { PublishedQuote } from '../../../src/domain/price/quote.ts'
import type { Address } from '../../../src/domain/units.ts'
import type { QuoteSource, SourceFault } from '../../../src/ports/sources.ts'

export const down: SourceFault = { kind: 'unreachable', detail: 'connection refused' }

type Prices = Readonly<Record<Address, number>>

/** A source that returns the given prices, published now; null: it is down. */
export const createFakeQuotes = (id: QuoteSource['id'], given: Prices | null) => {
  let prices = given
  let expected: number | null = null
  let asked = 0
  const quoteOf = (address: Address, last: number, now: number): PublishedQuote => ({
    address,
    source: id,
    per: id === 'chainlink' ? 'token' : 'share',
    bid: id === 'chainlink' ? null : last,
    ask: id === 'chainlink' ? null : last,
    last: id === 'chainlink' ? last : null,
    publishedTs: now,
    fetchedTs: now,
    halted: false,
    haltTs: id === 'chainlink' ? null : now,
    lapse: null,
  })
  const source: QuoteSource = {
    id,
    read: async (wanted, now) => {
      asked += 1
      if (prices === null) return { ok: false, fault: down }
      const quotes = wanted.flatMap(({ address }) => {
        const price = prices?.[address]
        return price === undefined ? [] : [quoteOf(address, price, now)]
      })
      return { ok: true, value: { quotes, refused: [], expected: expected ?? quotes.length } }
    },
  }
  return {
    source,
    setPrices: (next: Prices | null) => {
      prices = next
    },
    /** Sets `expected` of its batches. */
    expect: (count: number) => {
      expected = count
    },
    asked: () => asked,
  }
}
