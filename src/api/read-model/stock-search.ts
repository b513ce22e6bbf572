import type { StockView } from '../../domain/view/stock-view.ts'
import { hexPrefixOf } from './pool-search.ts'
import { searchable } from './search-text.ts'

/** Stocks whose symbol or name contains the text, or whose address begins with it. */
export const searchStocks = (
  stocks: readonly StockView[],
  q: string | null,
): readonly StockView[] => {
  if (q === null) return stocks
  const text = searchable(q)
  const prefix = hexPrefixOf(q)
  return stocks.filter(
    ({ symbol, name, address }) =>
      searchable(symbol).includes(text) ||
      searchable(name).includes(text) ||
      (prefix !== null && address.startsWith(prefix)),
  )
}
