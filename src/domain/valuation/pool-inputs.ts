import type { ReviewedHooks } from '../dex/uniswap-v4/hook-flags.ts'
import type { Venues } from '../dex/venue.ts'
import type { PoolClassification } from '../pool/pool-kind.ts'
import type { PoolIdentity, PoolState } from '../pool/pool-state.ts'
import type { ReferenceResult } from '../price/reference-price.ts'
import type { Reading } from '../reading.ts'
import type { Policy } from '../status/freshness.ts'
import type { StandardOf } from '../stock/stock-standard.ts'
import type { BlockNumber, UnixSeconds } from '../units.ts'
import type { FilteredVolume } from '../volume/pool-sums.ts'
import type { FallbackReserve } from './pool-reserves.ts'
import type { StockInputs } from './stock-inputs.ts'

/** Sums over the windows that end at the cursor; null while a window is incomplete. */
export type PoolVolume = FilteredVolume & {
  readonly vol1hUsd: number | null
  readonly vol24hUsd: number | null
  readonly swaps24h: number
  readonly estimatedSwaps24h: number
  readonly implausibleSwaps24h: number
  /** What a dollar in range earned; null while the window or the fee of a swap is not known. */
  readonly feeYield24h: number | null
  /** Swaps that affect the pool's figures are missing. */
  readonly isGap: boolean
}

/** All inputs of a pool's valuation besides the context. */
export type PoolInputs = {
  readonly pool: PoolIdentity & PoolState & { readonly lastHotTs: UnixSeconds | null }
  readonly classification: PoolClassification
  readonly decimals0: Reading<number>
  readonly decimals1: Reading<number>
  readonly stock: StockInputs
  /** The registered symbol of a trusted token or stock, else the token's own, cleaned. */
  readonly otherSymbol: string | null
  /** Symbol of the verified token that the other token imitates; null for most. */
  readonly otherImitates: string | null
  /** The other side's own reference; null for a meme, which has none. */
  readonly other: ReferenceResult | null
  /** Inputs of the other stock in a stock-stock pool. */
  readonly otherStock: StockInputs | null
  readonly volume: PoolVolume
  readonly fallback: FallbackReserve | null
}

/** Time and policy of a valuation. */
export type ValuationContext = {
  readonly now: UnixSeconds
  /** The cursor, to which all state belongs. */
  readonly asOf: { readonly block: BlockNumber; readonly ts: UnixSeconds }
  readonly enrichedTs: UnixSeconds | null
  readonly policy: Policy
  readonly reviewedHooks: ReviewedHooks
  readonly venues: Venues
  readonly standardOf: StandardOf
}
