import type { Pool } from '../../src/client/types.ts'

/** Names of money that everybody knows; a token that nobody vouches for should not have them. */
const moneyNames = ['USDG', 'USDC', 'USDT', 'DAI', 'ETH', 'WETH', 'BTC', 'WBTC']

/** Letters of other alphabets that look the same, and how they are written, do not matter. */
const plainName = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toUpperCase()

/** Whether a token that is no stock and no trusted money has the name of one. */
export const isLookAlike = (
  { kind, otherSymbol }: Pick<Pool, 'kind' | 'otherSymbol'>,
  stockSymbols: ReadonlySet<string>,
): boolean => {
  if (kind !== 'meme' || otherSymbol === null) return false
  const name = plainName(otherSymbol)
  return moneyNames.includes(name) || stockSymbols.has(name)
}
