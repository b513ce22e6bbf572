import type { Pool, Stock, StockQuote } from '../../src/client/types.ts'
import { formatLoss } from '../format/number.ts'
import { apiWithoutRetries } from '../live/api.ts'
import { assumptionWords, exclusionWords, stockReasonWords } from '../words/quote-words.ts'
import { Legs } from './legs.tsx'
import { toStockOrder } from './order.ts'
import { QuoteBox } from './quote-box.tsx'
import { costOf, type QuoteFigures, type Traded } from './quote-figures.tsx'

type Split = NonNullable<StockQuote['quote']>

const feeShareOf = ({ amountInRaw, feeAmountRaw }: Split['legs'][number]): number =>
  amountInRaw === '0' ? 0 : Number(feeAmountRaw) / Number(amountInRaw)

const sum = (values: readonly number[]): number => values.reduce((all, each) => all + each, 0)

/** The fees of all legs, in what is paid: dollars of the other tokens, or stock. */
const feeOf = ({ side, legs }: Split): number =>
  sum(
    legs.map((leg) => {
      const { amountIn, amountOut, executionPriceUsd } = leg
      const paid = side === 'sell' ? amountIn : (amountOut ?? 0) * (executionPriceUsd ?? 0)
      return (paid ?? 0) * feeShareOf(leg)
    }),
  )

const figuresOf = (quote: Split, symbol: string): QuoteFigures => {
  const dollars = (amount: number): Traded => ({ amount, symbol: 'USD', usd: null })
  const stock = (amount: number): Traded => ({ amount, symbol, usd: amount * quote.midPriceUsd })
  const isBuy = quote.side === 'buy'
  const [paid, paidAmount] = isBuy ? [dollars, quote.usd] : [stock, quote.stockAmount]
  const fee = feeOf(quote)
  const pays = paid(paidAmount)
  return {
    pays,
    receives: isBuy ? stock(quote.stockAmount) : dollars(quote.usd),
    priceUsd: quote.executionPriceUsd,
    priceInOther: null,
    priceImpactBps: quote.priceImpactBps,
    fee: paid(fee),
    feeShare: paidAmount === 0 ? null : fee / paidAmount,
    costBps: quote.costBps,
    costUsd: costOf(quote.costBps, pays.usd ?? paidAmount),
    filled: quote.filled,
  }
}

const unfilledWords =
  'The liquidity of all pools ends before the order: the amounts are what is possible.'

const savedWords = ({ legs, savedBps }: Split): string => {
  if (legs.length === 1) return 'One pool takes the whole order: a split would not be better.'
  if (savedBps === null) return `Split over ${legs.length} pools: none could fill it alone.`
  return `Split over ${legs.length} pools: ${formatLoss(savedBps)} better than the best pool alone.`
}

/** One sentence for each reason for which pools take no part. */
const excludedWords = ({ excluded }: StockQuote): readonly string[] => {
  const reasons = [...new Set(excluded.map(({ reason }) => reason))]
  return reasons.map((reason) => {
    const count = excluded.filter((each) => each.reason === reason).length
    const pools = count === 1 ? '1 pool takes' : `${count} pools take`
    return `${pools} no part: ${exclusionWords[reason]}`
  })
}

const read = (answer: StockQuote, symbol: string) => {
  const { quote, reasons, assumptions } = answer
  return {
    figures: quote === null ? null : figuresOf(quote, symbol),
    notes: [
      ...reasons.map((reason) => stockReasonWords[reason]),
      ...(quote === null || quote.legs.length === 0 ? [] : [savedWords(quote)]),
      ...(quote?.filled === false ? [unfilledWords] : []),
      ...assumptions.map((assumption) => assumptionWords[assumption]),
      ...excludedWords(answer),
    ],
  }
}

type Props = { readonly stock: Stock; readonly pools: readonly Pool[] }

/** What an order would get in the pools of a stock. */
export const StockQuoteBox = ({ stock, pools }: Props) => (
  <QuoteBox
    stockSymbol={stock.symbol}
    otherSymbol={null}
    version={pools.map(({ sqrtPriceX96, liquidity }) => `${sqrtPriceX96} ${liquidity}`).join()}
    toOrder={toStockOrder}
    ask={(order, signal) => apiWithoutRetries.quoteStock(stock.address, order, { signal })}
    read={(answer) => read(answer, stock.symbol)}
    below={(answer) => <Legs legs={answer?.quote?.legs ?? []} pools={pools} stock={stock} />}
  />
)
