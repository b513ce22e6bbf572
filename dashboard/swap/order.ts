import type { api } from '../live/api.ts'

type PoolOrder = Parameters<typeof api.quotePool>[1]
type StockOrder = Parameters<typeof api.quoteStock>[1]

export const sides = ['buy', 'sell'] as const
type Side = (typeof sides)[number]

/** What an amount is counted in. */
export type Unit = 'usd' | 'stock' | 'other'

/** An order as it is typed. */
export type Draft = { readonly side: Side; readonly unit: Unit; readonly text: string }

const grouped = /^\d{1,3}(,\d{3})+(\.\d*)?$/

/** Digits without a dollar sign, spaces and the commas of thousands: "$ 10,000" -> "10000". */
const plainDigits = (text: string): string => {
  const bare = text.replace(/^\s*\$/, '').replaceAll(/\s/g, '')
  return (grouped.test(bare) ? bare.replaceAll(',', '') : bare).replace(/\.$/, '')
}

/** The order of a draft, unchecked, because the service checks it; null without an amount. */
export const toStockOrder = ({ side, unit, text }: Draft): StockOrder | null => {
  const amount = plainDigits(text)
  if (amount === '') return null
  return unit === 'usd' ? { side, usd: Number(amount) } : { side, stockAmount: amount }
}

/** The same for one pool, where an amount of the other token is possible. */
export const toPoolOrder = (draft: Draft): PoolOrder | null => {
  const order = toStockOrder(draft)
  if (order === null || draft.unit !== 'other') return order
  return { side: draft.side, otherAmount: plainDigits(draft.text) }
}

/** True if the amount is what the trader pays: dollars always are. */
export const isPaid = ({ side, unit }: Draft): boolean =>
  unit === 'usd' || (side === 'buy') === (unit === 'other')
