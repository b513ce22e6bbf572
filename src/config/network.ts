import type { Finality } from '../domain/chain/finality.ts'
import type { Venue } from '../domain/dex/venue.ts'
import type { StockStandard } from '../domain/stock/stock-standard.ts'
import type { TrustedToken } from '../domain/token/trusted-token.ts'
import type { Address } from '../domain/units.ts'
import type { SecretUrl } from './secret-url.ts'

/** A venue and its place in the file, such as `uniswapV3[0]`. */
export type ListedVenue = Venue & { readonly path: string }

/** A token with an external US dollar price: the other side of a canonical pool. */
export type TrustedQuote = TrustedToken & {
  readonly decimals: number
  readonly feed: Address | null
}

/** A stock token of the network file; `name` is the issuer's wording. */
export type ListedStock = TrustedQuote & {
  readonly name: string
  readonly standard: StockStandard
}

/** A v4 hook that the operator has read, and what was found. */
export type ReviewedHook = { readonly address: Address; readonly note: string }

export type QuoteSourceTarget =
  | { readonly kind: 'issuer'; readonly url: SecretUrl }
  | { readonly kind: 'chainlink' }
  | { readonly kind: 'file'; readonly path: string }

export type ScreenerTarget = {
  readonly kind: 'dexscreener' | 'geckoterminal'
  readonly url: SecretUrl
  /** The screener's name of the chain. */
  readonly chain: string
}

/** Everything specific to one chain. Addresses and hashes are lowercase. */
export type Network = {
  readonly name: string
  readonly chainId: number
  readonly multicall3: Address | null
  readonly venues: readonly ListedVenue[]
  /** Hooks that may act on swaps (methodology §6). */
  readonly reviewedHooks: readonly ReviewedHook[]
  readonly wrappedNative: Address
  readonly trustedQuotes: readonly TrustedQuote[]
  readonly stocks: {
    /** The EIP-1967 beacon of genuine stock tokens; null disables the check. */
    readonly beacon: Address | null
    /** Of stocks that only the live list names. */
    readonly standard: StockStandard
    readonly registryUrl: SecretUrl | null
    readonly tokens: readonly ListedStock[]
  }
  readonly quoteSources: readonly QuoteSourceTarget[]
  readonly screener: ScreenerTarget | null
  /** Whether the senders of the swaps' transactions are read. */
  readonly traders: boolean
  readonly finality: Finality
  /** Base URL of the block explorer, without a trailing slash. */
  readonly explorerUrl: string | null
}

/** The network, and defaults for settings that options override. */
export type NetworkFile = {
  readonly network: Network
  readonly rpcUrls: readonly SecretUrl[]
  readonly confirmations: number | null
  readonly pollMs: number | null
  readonly historyDays: number | null
}
