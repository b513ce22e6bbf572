import type { Address, Hex } from 'viem'
import { chainId } from './chain/anvil.ts'
import type { StockProof, StockSpec, TokenSpec } from './world/tokens.ts'
import {
  algebraInitCodeHash,
  pancakeInitCodeHash,
  type VenueName,
  v3InitCodeHash,
} from './world/venues.ts'
import { type Contracts, stockSpecs, tokenOf, type World } from './world/world.ts'

/** The network file of the service (docs/configuration.md). */
export type NetworkFile = {
  readonly name: string
  readonly chainId: number
  readonly rpcUrls: readonly string[]
  readonly multicall3: Address | null
  readonly uniswapV3: readonly {
    readonly name?: VenueName
    readonly factory: Address
    readonly startBlock: number
    readonly initCodeHash: Hex | null
  }[]
  readonly uniswapV4: readonly {
    readonly poolManager: Address
    readonly stateView: Address | null
    readonly startBlock: number
  }[]
  readonly pancakeswapV3: readonly {
    readonly factory: Address
    readonly poolDeployer: Address
    readonly startBlock: number
    readonly initCodeHash: Hex | null
  }[]
  readonly slipstream?: readonly {
    readonly factory: Address
    readonly poolImplementation: Address
    readonly startBlock: number
  }[]
  readonly algebraIntegral: NetworkFile['pancakeswapV3']
  readonly reviewedHooks: readonly { readonly address: Address; readonly note: string }[]
  readonly wrappedNative: Address
  readonly trustedQuotes: readonly TokenEntry[]
  readonly stocks: {
    readonly beacon: Address | null
    readonly registryUrl: string | null
    readonly tokens: readonly StockEntry[]
  }
  readonly quoteSources: readonly ({ kind: 'issuer'; url: string } | { kind: 'chainlink' })[]
  readonly screener: { kind: 'dexscreener'; url: string; chain: string } | null
  readonly traders: boolean
  readonly finality: 'finalized'
  readonly confirmations: number
  readonly pollMs: number
  readonly historyDays: number
}

type StockEntry = TokenEntry & {
  readonly name: string
  readonly proof?: StockProof
  readonly asset?: Address
  readonly rebasing?: boolean
}

type TokenEntry = {
  readonly symbol: string
  readonly address: Address
  readonly decimals: number
  readonly feed: Address | null
}

export type Urls = {
  readonly rpc: string
  /** The node behind it, without the gate that holds and breaks requests. */
  readonly node: string
  /** URLs have no trailing slash. */
  readonly issuer: string
  readonly screener: string
  readonly control: string
}

export const screenerChain = 'sandbox'

const dynamicFeeNote = 'Sets a fee of 0.05 % to 0.3 % by the minute; it refuses no swap'

/** The lists of venues, each under the key of its protocol. */
const listVenues = (contracts: Contracts) =>
  ({
    uniswapV3: [
      { factory: contracts.factory, startBlock: 0, initCodeHash: v3InitCodeHash },
      {
        name: 'Fork v3',
        factory: contracts.forkFactory,
        startBlock: 0,
        initCodeHash: v3InitCodeHash,
      },
    ],
    uniswapV4: [
      { poolManager: contracts.poolManager, stateView: contracts.stateView, startBlock: 0 },
    ],
    pancakeswapV3: [
      {
        factory: contracts.pancakeFactory,
        poolDeployer: contracts.pancakePoolDeployer,
        startBlock: 0,
        initCodeHash: pancakeInitCodeHash,
      },
    ],
    algebraIntegral: [
      {
        factory: contracts.algebraFactory,
        poolDeployer: contracts.algebraPoolDeployer,
        startBlock: 0,
        initCodeHash: algebraInitCodeHash,
      },
    ],
    slipstream: [
      {
        factory: contracts.slipstreamFactory,
        poolImplementation: contracts.slipstreamImplementation,
        startBlock: 0,
      },
    ],
  }) satisfies Partial<NetworkFile>

export function describeNetwork(world: World, urls: Urls): NetworkFile {
  const { contracts } = world
  return {
    name: 'sandbox',
    chainId,
    rpcUrls: [urls.rpc],
    multicall3: contracts.multicall3,
    ...listVenues(contracts),
    reviewedHooks: [{ address: contracts.dynamicFeeHook, note: dynamicFeeNote }],
    wrappedNative: contracts.wrappedNative,
    trustedQuotes: ['USDG', 'WETH', 'ETH'].map((key) => entryOf(world, tokenOf(world, key).spec)),
    stocks: {
      beacon: contracts.beacon,
      registryUrl: `${urls.issuer}/assets`,
      tokens: stockSpecs(world).map((spec) => stockEntryOf(world, spec)),
    },
    quoteSources: [{ kind: 'issuer', url: urls.issuer }, { kind: 'chainlink' }],
    screener: { kind: 'dexscreener', url: urls.screener, chain: screenerChain },
    traders: true,
    finality: 'finalized',
    confirmations: 20,
    pollMs: 250,
    historyDays: 7,
  }
}

function stockEntryOf(world: World, spec: StockSpec): StockEntry {
  const { symbol, address, decimals, feed } = entryOf(world, spec)
  const entry = { symbol, name: spec.name.replace(/ • .*$/, ''), address, decimals, feed }
  if (spec.proof === 'beacon') return entry
  const { proof } = spec
  if (spec.rebasing) return { ...entry, proof, rebasing: true }
  return spec.asset === null
    ? { ...entry, proof }
    : { ...entry, proof, asset: tokenOf(world, spec.asset).address }
}

function entryOf(world: World, spec: TokenSpec): TokenEntry {
  // ETH and WETH share one feed.
  const feedKey = spec.key === 'WETH' ? 'ETH' : spec.key
  const feed = world.feeds.find((candidate) => candidate.tokenKey === feedKey)
  const { address } = tokenOf(world, spec.key)
  return { symbol: spec.symbol, address, decimals: spec.decimals, feed: feed?.proxy ?? null }
}
