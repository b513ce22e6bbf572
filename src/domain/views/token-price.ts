import { quoteSourceIds } from '../price/quote.ts'
import { statusReasons } from '../status/data-status.ts'
import type { MarketSession } from '../stock/market-session.ts'
import type { Address, PoolId } from '../units.ts'

export const priceConfidences = ['high', 'medium', 'low', 'none'] as const
/** How far the price of a token can be relied on (docs/methodology.md §13). */
export type PriceConfidence = (typeof priceConfidences)[number]

/** `pool`: one pool's own price; the others are references. */
export const priceSources = ['pool', ...quoteSourceIds] as const
export type PriceSource = (typeof priceSources)[number]

export const priceReasons = [
  ...statusReasons,
  'token_unknown',
  'price_missing',
  'price_old',
  'price_drift',
  'single_source',
  'stock_unverified',
] as const
/** Why a price is missing or not of high confidence. */
export type PriceReason = (typeof priceReasons)[number]

/** The price of one token, as wallets show it. */
export type TokenPriceView = {
  readonly address: Address
  /** The registered symbol of a stock or trusted token, else the token's own, cleaned. */
  readonly symbol: string | null
  /** US dollars per token. */
  readonly usd: number | null
  readonly source: PriceSource | null
  /** Of the oldest input that made the price. */
  readonly ageSeconds: number | null
  /** Of stocks, and of memes, which stocks price. */
  readonly session: MarketSession | null
  /** Of the stock's best pool or the meme's deepest. */
  readonly depthUsd: number | null
  readonly confidence: PriceConfidence
  readonly reasons: readonly PriceReason[]
  /** The pool whose price it is; null for a reference. */
  readonly poolId: PoolId | null
}

export type TokenPricesView = { readonly items: readonly TokenPriceView[] }
