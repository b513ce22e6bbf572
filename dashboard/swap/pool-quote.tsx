import type { Pool, PoolQuote } from '../../src/client/types.ts'
import { apiWithoutRetries } from '../live/api.ts'
import { assumptionWords, quoteReasonWords } from '../words/quote-words.ts'
import { toPoolOrder } from './order.ts'
import { QuoteBox } from './quote-box.tsx'
import { costOf, type QuoteFigures, type Traded } from './quote-figures.tsx'

const worthOf = (amount: number | null, usd: number | null): number | null =>
  amount === null || usd === null ? null : amount * usd

const nameOf = ({ otherSymbol }: Pool): string => otherSymbol ?? 'other token'

const figuresOf = (quote: NonNullable<PoolQuote['quote']>, pool: Pool): QuoteFigures => {
  const { amountIn, amountOut, amountInRaw, feeAmountRaw, executionPriceInOther } = quote
  const stock = (amount: number | null): Traded => ({
    amount,
    symbol: pool.stockSymbol,
    usd: worthOf(amount, pool.stockPriceUsd),
  })
  const other = (amount: number | null): Traded => ({
    amount,
    symbol: nameOf(pool),
    usd: worthOf(amount, pool.otherPriceUsd),
  })
  const [paid, received] = quote.side === 'buy' ? [other, stock] : [stock, other]
  const feeShare = amountInRaw === '0' ? null : Number(feeAmountRaw) / Number(amountInRaw)
  const pays = paid(amountIn)
  return {
    pays,
    receives: received(amountOut),
    priceUsd: quote.executionPriceUsd,
    priceInOther: other(executionPriceInOther),
    priceImpactBps: quote.priceImpactBps,
    fee: paid(feeShare === null ? null : worthOf(amountIn, feeShare)),
    feeShare,
    costBps: quote.costBps,
    costUsd: costOf(quote.costBps, pays.usd),
    filled: quote.filled,
  }
}

const unfilledWords =
  'The liquidity of the pool ends before the order: the amounts are what is possible.'

/** What a swap in this pool would get. */
export const PoolQuoteBox = ({ pool }: { readonly pool: Pool }) => {
  const { id, sqrtPriceX96, liquidity, stockReserve, otherReserve, otherPriceUsd } = pool
  const read = (answer: PoolQuote) => {
    const { quote, reasons, assumptions } = answer
    return {
      figures: quote === null ? null : figuresOf(quote, pool),
      notes: [
        ...reasons.map((reason) => quoteReasonWords[reason]),
        ...(quote?.filled === false ? [unfilledWords] : []),
        ...assumptions.map((assumption) => assumptionWords[assumption]),
      ],
    }
  }
  return (
    <QuoteBox
      stockSymbol={pool.stockSymbol}
      otherSymbol={nameOf(pool)}
      version={[sqrtPriceX96, liquidity, stockReserve, otherReserve, otherPriceUsd].join()}
      toOrder={toPoolOrder}
      ask={(order, signal) => apiWithoutRetries.quotePool(id, order, { signal })}
      read={read}
    />
  )
}
