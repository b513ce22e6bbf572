import { usdPerToken } from '../stock/multiplier.ts'
import type { PublishedQuote } from './quote.ts'

/** A wider book is no price: bid and ask drift apart off hours (methodology §3). */
export const quoteSpreadRatioMax = 0.02

/** Middle of bid and ask; null when the quote is one-sided, crossed or too wide. */
export const quoteMid = ({ bid, ask }: Pick<PublishedQuote, 'bid' | 'ask'>): number | null => {
  if (bid === null || ask === null || !(bid > 0) || !(ask >= bid)) return null
  const mid = (bid + ask) / 2
  return (ask - bid) / mid > quoteSpreadRatioMax ? null : mid
}

/** US dollars per share or per token, as the quote says; null when it gives no usable price. */
export const quotedUsd = (quote: PublishedQuote): number | null => {
  const price = quote.last ?? quoteMid(quote)
  return price !== null && price > 0 && Number.isFinite(price) ? price : null
}

/** US dollars per token by this quote; null when it gives no usable price (methodology §3). */
export const quotedTokenUsd = (quote: PublishedQuote, multiplier: bigint | null): number | null => {
  const price = quotedUsd(quote)
  if (price === null) return null
  if (quote.per === 'token') return price
  return multiplier === null ? null : usdPerToken(price, multiplier)
}
