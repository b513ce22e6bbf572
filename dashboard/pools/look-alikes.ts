import type { Pool } from '../../src/client/types.ts'

/** Symbols of well-known currencies, which no untrusted token should have. */
const currencySymbols = ['USDG', 'USDC', 'USDT', 'DAI', 'ETH', 'WETH', 'BTC', 'WBTC']

/** Normalizes compatibility forms, punctuation and case. */
const plainName = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toUpperCase()

/** True if an untrusted token has the symbol of a stock or a well-known currency. */
export const isLookAlike = (
  { kind, otherSymbol }: Pick<Pool, 'kind' | 'otherSymbol'>,
  stockSymbols: ReadonlySet<string>,
): boolean => {
  if (kind !== 'meme' || otherSymbol === null) return false
  const name = plainName(otherSymbol)
  return currencySymbols.includes(name) || stockSymbols.has(name)
}
