import type { Address } from '../units.ts'
import type { PoolKind } from '../views/pool.ts'

/** Classifies tokens by address, never by symbol (docs/methodology.md §1). */
export type TokenRoles = {
  /** Stocks that the registry lists and the chain confirms. */
  readonly isStock: (address: Address) => boolean
  /** USDG, WETH, native ETH and tokens that the configuration adds. */
  readonly isTrusted: (address: Address) => boolean
}

export type PoolClassification = {
  readonly kind: PoolKind
  /** In a stock-stock pool token0 is the stock side. */
  readonly stockIsToken0: boolean
}

/** Shared by all pools. */
const classifications = {
  stocks: { kind: 'stock-stock', stockIsToken0: true },
  canonical0: { kind: 'canonical', stockIsToken0: true },
  canonical1: { kind: 'canonical', stockIsToken0: false },
  meme0: { kind: 'meme', stockIsToken0: true },
  meme1: { kind: 'meme', stockIsToken0: false },
} as const satisfies Readonly<Record<string, PoolClassification>>

/** The kind of a pool by its two tokens, or null when it holds no stock. */
export const classifyPool = (
  { token0, token1 }: { readonly token0: Address; readonly token1: Address },
  roles: TokenRoles,
): PoolClassification | null => {
  const stock0 = roles.isStock(token0)
  const stock1 = roles.isStock(token1)
  if (stock0 && stock1) return classifications.stocks
  if (!stock0 && !stock1) return null
  if (roles.isTrusted(stock0 ? token1 : token0)) {
    return stock0 ? classifications.canonical0 : classifications.canonical1
  }
  return stock0 ? classifications.meme0 : classifications.meme1
}

/** A pool between two trusted tokens: indexed for its price, never listed (methodology §1). */
export const isReferencePool = (
  { token0, token1 }: { readonly token0: Address; readonly token1: Address },
  roles: TokenRoles,
): boolean => roles.isTrusted(token0) && roles.isTrusted(token1)

/** A pool with a stock, or with two trusted tokens. */
export const isIndexedPool = (
  tokens: { readonly token0: Address; readonly token1: Address },
  roles: TokenRoles,
): boolean => classifyPool(tokens, roles) !== null || isReferencePool(tokens, roles)
