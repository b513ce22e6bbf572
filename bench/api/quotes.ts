import type { PoolQuote } from '../../src/client/types.ts'

/** Digits before a request's number: one to nine thousand dollars, ten to ninety tokens. */
const orders = [
  'side=buy&otherAmountRaw=1{n}',
  'side=buy&stockAmountRaw=9{n}0000000000',
  'side=sell&otherAmountRaw=9{n}',
  'side=sell&stockAmountRaw=1{n}0000000000',
]

export const quotePaths = (ids: readonly string[]): readonly string[] =>
  ids.flatMap((id) => orders.map((order) => `/api/v1/pools/${id}/quote?${order}`))

/** Throws unless the answer is a quote of the amount that the path asks for. */
export const checkQuote = (path: string, text: string): void => {
  const { quote } = JSON.parse(text) as PoolQuote
  const amount = /AmountRaw=(\d+)/.exec(path)?.[1]
  const fixed = quote?.exact === 'input' ? quote.amountInRaw : quote?.amountOutRaw
  if (!quote?.filled || fixed !== amount) throw new Error(`${path} answered ${text}`)
}
