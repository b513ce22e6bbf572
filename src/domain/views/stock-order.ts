import type { PoolId } from '../units.ts'
import {
  type AnswerOrigin,
  type SwapAssumption,
  type SwapQuote,
  type SwapSide,
  swapQuoteReasons,
} from './swap-quote.ts'

export const poolExclusions = [
  ...swapQuoteReasons,
  'state_old',
  'quote_old',
  'hook_unreviewed',
  'pool_limit',
] as const
/** Why a pool takes no part in the orders of its stock (docs/methodology.md §10). */
export type PoolExclusion = (typeof poolExclusions)[number]

export type ExcludedPool = { readonly poolId: PoolId; readonly reason: PoolExclusion }

export const stockOrderReasons = ['no_usable_pool'] as const
export type StockOrderReason = (typeof stockOrderReasons)[number]

/** A pool's part in an order; `share` is of the amount that the order fixes. */
export type SplitQuoteLeg = SwapQuote & { readonly share: number }

/** What an order would pay and receive in the pools of a stock. */
export type SplitQuote = {
  readonly side: SwapSide
  readonly exact: 'input' | 'output'
  readonly stockAmount: number
  readonly stockAmountRaw: string
  /** Dollars of the other tokens, by their references. */
  readonly usd: number
  readonly filled: boolean
  readonly midPriceUsd: number
  readonly executionPriceUsd: number | null
  readonly priceImpactBps: number | null
  readonly costBps: number | null
  readonly singlePoolId: PoolId | null
  readonly savedBps: number | null
  readonly legs: readonly SplitQuoteLeg[]
}

/** What both answers on a stock say of the pools and of their origin. */
type StockOrderOrigin = AnswerOrigin & {
  readonly reasons: readonly StockOrderReason[]
  readonly assumptions: readonly SwapAssumption[]
  readonly excluded: readonly ExcludedPool[]
}

export type StockQuoteView = StockOrderOrigin & { readonly quote: SplitQuote | null }

export type StockBandSide = { readonly stockAmount: number; readonly usd: number }

/** What moves all pools to a price `bps` from the mid price. */
export type StockBand = {
  readonly bps: number
  readonly buy: StockBandSide
  readonly sell: StockBandSide
}

export type PooledDepth = {
  readonly midPriceUsd: number
  readonly bands: readonly StockBand[]
  readonly usdToMove1Pct: number
  readonly topPoolId: PoolId | null
  readonly topPoolShare: number | null
}

export type StockDepthView = StockOrderOrigin & { readonly depth: PooledDepth | null }
