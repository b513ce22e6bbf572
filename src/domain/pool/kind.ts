import type { Address } from '../units.ts'
import type { PoolKind } from '../view/pool-view.ts'

/** Which tokens count as what; identity is the address, never a symbol (methodology §1). */
export type TokenRoles = {
  /** Stocks that the registry lists and the chain confirms. */
  readonly isStock: (address: Address) => boolean
  /** USDG, WETH, native ETH and what the configuration adds. */
  readonly isTrusted: (address: Address) => boolean
}

export type PoolSides = {
  readonly kind: PoolKind
  /** In a stock-stock pool token0 is the stock side. */
  readonly stockIsToken0: boolean
}

/** The kind of a pool by its two tokens, or null when it holds no stock. */
export const poolSidesOf = (
  { token0, token1 }: { readonly token0: Address; readonly token1: Address },
  roles: TokenRoles,
): PoolSides | null => {
  const stock0 = roles.isStock(token0)
  const stock1 = roles.isStock(token1)
  if (stock0 && stock1) return { kind: 'stock-stock', stockIsToken0: true }
  if (!stock0 && !stock1) return null
  const other = stock0 ? token1 : token0
  return { kind: roles.isTrusted(other) ? 'canonical' : 'meme', stockIsToken0: stock0 }
}

/** A pool between two trusted tokens: indexed for its price, never listed (methodology §1). */
export const isReferencePool = (
  { token0, token1 }: { readonly token0: Address; readonly token1: Address },
  roles: TokenRoles,
): boolean => roles.isTrusted(token0) && roles.isTrusted(token1)
