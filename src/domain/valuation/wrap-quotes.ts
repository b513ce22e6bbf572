import type { Quote } from '../price/quote.ts'
import { type Multiplier, multiplierOne, usdPerToken } from '../stock/multiplier.ts'

type Quoted = { readonly quotes: readonly Quote[]; readonly multiplier: Multiplier | null }

const timesMultiplier = (a: bigint, b: bigint): bigint => (a * b) / multiplierOne

/**
 * Quotes and multiplier of a wrapper's row, from its asset's quotes and its own multiplier, which
 * is in assets: shares per token, and prices of the wrapper's token. Those of shares stay.
 */
export const wrapQuotes = (
  { quotes, multiplier: assets }: Quoted,
  ofAsset: Multiplier | null,
): Quoted => {
  if (assets === null || ofAsset === null) return { quotes: [], multiplier: null }
  const { current, pending, effectiveTs } = ofAsset
  const wrapped = (usd: number | null): number | null =>
    usd === null ? null : usdPerToken(usd, assets.current)
  const wrapQuote = (quote: Quote): Quote => ({
    ...quote,
    bid: wrapped(quote.bid),
    ask: wrapped(quote.ask),
    last: wrapped(quote.last),
  })
  return {
    quotes: quotes.map((quote) => (quote.per === 'share' ? quote : wrapQuote(quote))),
    multiplier: {
      current: timesMultiplier(current, assets.current),
      pending: pending === null ? null : timesMultiplier(pending, assets.current),
      effectiveTs,
    },
  }
}
