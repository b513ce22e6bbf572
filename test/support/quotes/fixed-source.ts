import { success } from '../../../src/domain/outcome.ts'
import type { QuoteSource } from '../../../src/ports/sources.ts'

/** An example source: one price for every stock at the time of the request. */
export const createFixedSource = (usd: number): QuoteSource => ({
  id: 'file',
  read: async (wanted, now) => {
    const stocks = wanted.filter(({ isStock }) => isStock)
    const quotes = stocks.map(({ address }) => ({
      address,
      source: 'file' as const,
      per: 'share' as const,
      bid: null,
      ask: null,
      last: usd,
      publishedTs: now,
      fetchedTs: now,
      halted: false,
      haltTs: now,
      lapse: null,
    }))
    return success({ quotes, refused: [], expected: stocks.length })
  },
})
