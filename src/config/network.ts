import type { Finality } from '../domain/chain/finality.ts'
import type { TrustedToken } from '../domain/token/trusted-token.ts'
import type { Address, BlockNumber, Hash } from '../domain/units.ts'
import type { SecretUrl } from './secret-url.ts'

export type UniswapV3Deployment = {
  readonly factory: Address
  readonly startBlock: BlockNumber
  /** Of the pools' creation code; null where a fork's is not known, then no CREATE2 check. */
  readonly initCodeHash: Hash | null
}

export type UniswapV4Deployment = {
  readonly poolManager: Address
  readonly stateView: Address | null
  readonly startBlock: BlockNumber
}

/** A token whose dollar price is known from outside: the other side of a canonical pool. */
export type TrustedQuote = TrustedToken & {
  readonly decimals: number
  readonly feed: Address | null
}

/** A stock token as the network file lists it; `name` is the issuer's own wording. */
export type ListedStock = TrustedQuote & { readonly name: string }

export type QuoteSourceTarget =
  | { readonly kind: 'issuer'; readonly url: SecretUrl }
  | { readonly kind: 'chainlink' }
  | { readonly kind: 'file'; readonly path: string }

export type ScreenerTarget = {
  readonly kind: 'dexscreener' | 'geckoterminal'
  readonly url: SecretUrl
  /** The chain's name in the screener's own terms. */
  readonly chain: string
}

/** Everything that is particular to one chain. Addresses and hashes are lowercase. */
export type Network = {
  readonly name: string
  readonly chainId: number
  readonly multicall3: Address | null
  readonly uniswapV3: readonly UniswapV3Deployment[]
  readonly uniswapV4: readonly UniswapV4Deployment[]
  readonly wrappedNative: Address
  readonly trustedQuotes: readonly TrustedQuote[]
  readonly stocks: {
    /** The EIP-1967 beacon of genuine stock tokens; null switches that check off. */
    readonly beacon: Address | null
    readonly registryUrl: SecretUrl | null
    readonly tokens: readonly ListedStock[]
  }
  readonly quoteSources: readonly QuoteSourceTarget[]
  readonly screener: ScreenerTarget | null
  readonly finality: Finality
  /** Begins the addresses of the chain's explorer, without a slash at the end; null: none known. */
  readonly explorerUrl: string | null
}

/** A network file: the network, and what it suggests for settings that the user may override. */
export type NetworkFile = {
  readonly network: Network
  readonly rpcUrls: readonly SecretUrl[]
  readonly confirmations: number | null
  readonly pollMs: number | null
  readonly historyDays: number | null
}
