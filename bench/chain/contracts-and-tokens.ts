import { type Address, type Hash, nativeAddress } from '../../src/domain/units.ts'
import type { IndexedNetwork } from '../../src/indexer/deps.ts'
import { initCodeHash } from '../../test/support/domain/sample-pool.ts'
import { syntheticAddress } from './hashes.ts'
import { chainId, originBlock } from './params.ts'

/** A token with its initial price in US dollars. */
export type SyntheticToken = {
  readonly address: Address
  readonly symbol: string
  readonly decimals: number
  readonly usd: number
  readonly role: 'stock' | 'trusted' | 'meme'
  /** The Chainlink proxy and its aggregator, which emits the answers. */
  readonly feed: { readonly proxy: Address; readonly aggregator: Address } | null
}

export const factory = syntheticAddress('factory')
export const manager = syntheticAddress('manager')
/** Unconfigured venues that emit the same topics. */
export const foreignFactory = syntheticAddress('foreign factory')
export const foreignManager = syntheticAddress('foreign manager')
export const stateView = syntheticAddress('state view')
export const multicall3 = syntheticAddress('multicall')
export const beacon = syntheticAddress('beacon')
export const router = syntheticAddress('router')

/** `beforeSwap` (bit 7, v4-core Hooks.sol) sets the fee; the hook takes no tokens. */
export const feeHook: Address = `0x${syntheticAddress('hook').slice(2, -4)}0080`

const feedOf = (symbol: string) => ({
  proxy: syntheticAddress(`proxy of ${symbol}`),
  aggregator: syntheticAddress(`aggregator of ${symbol}`),
})

const usdg: SyntheticToken = {
  address: syntheticAddress('USDG'),
  symbol: 'USDG',
  decimals: 6,
  usd: 1,
  role: 'trusted',
  feed: feedOf('USDG'),
}

const weth: SyntheticToken = {
  address: syntheticAddress('WETH'),
  symbol: 'WETH',
  decimals: 18,
  usd: 2900,
  role: 'trusted',
  feed: feedOf('ETH'),
}

const native: SyntheticToken = { ...weth, address: nativeAddress, symbol: 'ETH' }

export const trustedTokens: readonly SyntheticToken[] = [usdg, weth, native]

const stocksCount = 40
/** Every second stock has a price feed. */
export const stockTokens: readonly SyntheticToken[] = Array.from(
  { length: stocksCount },
  (_, number) => {
    const symbol = `STK${String(number).padStart(2, '0')}`
    return {
      address: syntheticAddress('stock', number),
      symbol,
      decimals: 18,
      usd: 20 + number * 11,
      role: 'stock',
      feed: number % 2 === 0 ? feedOf(symbol) : null,
    }
  },
)

/** Every fifth meme has nine decimals, as bridged tokens do. */
export const memeToken = (number: number): SyntheticToken => ({
  address: syntheticAddress('meme', number),
  symbol: `MEME${number}`,
  decimals: number % 5 === 4 ? 9 : 18,
  usd: 10 ** -(number % 6),
  role: 'meme',
  feed: null,
})

/** One token per price feed. */
export const tokensWithFeed: readonly SyntheticToken[] = [usdg, weth, ...stockTokens].filter(
  ({ feed }) => feed !== null,
)

/** The beacon slot of a stock's proxy (EIP-1967). */
export const beaconWord: Hash = `0x${beacon.slice(2).padStart(64, '0')}`

const venue = {
  name: 'Synthetic',
  startBlock: originBlock,
  initCodeHash: null,
  poolDeployer: null,
  poolImplementation: null,
  stateView: null,
}

/** The chain as the indexer's network configuration. */
export const syntheticNetwork: IndexedNetwork = {
  name: 'synthetic',
  chainId,
  venues: new Map([
    [factory, { ...venue, address: factory, protocol: 'uniswap-v3', initCodeHash }],
    [manager, { ...venue, address: manager, protocol: 'uniswap-v4', stateView }],
  ]),
  origin: originBlock,
  stateViewOf: () => stateView,
  contracts: [],
  reviewedHooks: new Map(),
  trusted: trustedTokens.map(({ symbol, address, feed }) => ({
    symbol,
    address,
    feed: feed?.proxy ?? null,
  })),
  stocks: stockTokens.map(({ symbol, address, decimals, feed }) => ({
    symbol,
    name: `${symbol} Inc.`,
    issuer: null,
    address,
    decimals,
    feed: feed?.proxy ?? null,
  })),
  standardOf: () => ({ proof: 'beacon', beacon, feedPer: 'token', wraps: null, rebasing: false }),
}
