import { type Address, type Hash, nativeAddress } from '../../src/domain/units.ts'
import type { IndexedNetwork } from '../../src/indexer/deps.ts'
import { initCodeHash } from '../../test/support/domain/sample-pool.ts'
import { addressOf } from './hashes.ts'
import { chainId, originBlock } from './params.ts'

/** A token and what a whole one is worth at the beginning. */
export type WorldToken = {
  readonly address: Address
  readonly symbol: string
  readonly decimals: number
  readonly usd: number
  readonly role: 'stock' | 'trusted' | 'meme'
  /** A Chainlink proxy, and the contract behind it that emits. */
  readonly feed: { readonly proxy: Address; readonly aggregator: Address } | null
}

export const factory = addressOf('factory')
export const manager = addressOf('manager')
/** They emit the very same topics, and nobody asked them. */
export const foreignFactory = addressOf('foreign factory')
export const foreignManager = addressOf('foreign manager')
export const stateView = addressOf('state view')
export const multicall3 = addressOf('multicall')
export const beacon = addressOf('beacon')
export const router = addressOf('router')

/** Calls `beforeSwap` and sets the fee; takes no tokens (v4-core Hooks.sol: bit 7). */
export const feeHook: Address = `0x${addressOf('hook').slice(2, -4)}0080`

const feedOf = (symbol: string) => ({
  proxy: addressOf(`proxy of ${symbol}`),
  aggregator: addressOf(`aggregator of ${symbol}`),
})

const usdg: WorldToken = {
  address: addressOf('USDG'),
  symbol: 'USDG',
  decimals: 6,
  usd: 1,
  role: 'trusted',
  feed: feedOf('USDG'),
}

const weth: WorldToken = {
  address: addressOf('WETH'),
  symbol: 'WETH',
  decimals: 18,
  usd: 2900,
  role: 'trusted',
  feed: feedOf('ETH'),
}

const native: WorldToken = { ...weth, address: nativeAddress, symbol: 'ETH' }

export const trustedTokens: readonly WorldToken[] = [usdg, weth, native]

const stocksCount = 40
/** Every second stock has a feed, as on the real chain only the larger ones do. */
export const stockTokens: readonly WorldToken[] = Array.from(
  { length: stocksCount },
  (_, number) => {
    const symbol = `STK${String(number).padStart(2, '0')}`
    return {
      address: addressOf('stock', number),
      symbol,
      decimals: 18,
      usd: 20 + number * 11,
      role: 'stock',
      feed: number % 2 === 0 ? feedOf(symbol) : null,
    }
  },
)

/** Some have nine decimals, as tokens of other chains' making do. */
export const memeOf = (number: number): WorldToken => ({
  address: addressOf('meme', number),
  symbol: `MEME${number}`,
  decimals: number % 5 === 4 ? 9 : 18,
  usd: 10 ** -(number % 6),
  role: 'meme',
  feed: null,
})

/** One each of those that publish prices. */
export const fedTokens: readonly WorldToken[] = [usdg, weth, ...stockTokens].filter(
  ({ feed }) => feed !== null,
)

/** The slot in which a stock's proxy keeps its beacon's address. */
export const beaconWord: Hash = `0x${beacon.slice(2).padStart(64, '0')}`

/** The chain as the pipeline knows it. */
export const syntheticNetwork: IndexedNetwork = {
  name: 'synthetic',
  chainId,
  venues: {
    factories: new Map([[factory, { initCodeHash }]]),
    managers: new Set([manager]),
  },
  origin: originBlock,
  stateViewOf: () => stateView,
  contracts: [],
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
  beacon,
}
