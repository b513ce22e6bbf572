import type { Config } from '../../config/config.ts'
import type { Network } from '../../config/network.ts'
import type { ReviewedHooks } from '../../domain/dex/uniswap-v4/hook-flags.ts'
import { listingNameOf, type StockListing } from '../../domain/stock/stock.ts'
import { type Address, type BlockNumber, nativeAddress } from '../../domain/units.ts'
import type { IndexedNetwork } from '../../indexer/deps.ts'
import type { NamedContract } from '../../indexer/verify/contract-check.ts'

const firstStartBlock = ({ uniswapV3, uniswapV4 }: Network): BlockNumber =>
  Math.min(...[...uniswapV3, ...uniswapV4].map((venue) => venue.startBlock))

const toStockListings = ({ stocks }: Network): readonly StockListing[] =>
  stocks.tokens.map(({ symbol, name, address, decimals, feed }) => ({
    symbol,
    address,
    decimals,
    feed,
    ...listingNameOf(name),
  }))

/** Every contract that the indexer calls or trusts, with its key in the network file. */
const listContracts = (network: Network): readonly NamedContract[] => {
  const { uniswapV3, uniswapV4, multicall3, stocks, trustedQuotes } = network
  const named = (
    key: string,
    address: Address | null,
    checks: Pick<NamedContract, 'role' | 'poolManager'>,
  ): readonly NamedContract[] =>
    address === null || address === nativeAddress ? [] : [{ key, address, ...checks }]
  return [
    ...uniswapV3.flatMap(({ factory }, i) =>
      named(`uniswapV3[${i}].factory`, factory, { role: 'v3-factory' }),
    ),
    ...uniswapV4.flatMap(({ poolManager, stateView }, i) => [
      ...named(`uniswapV4[${i}].poolManager`, poolManager, { role: 'pool-manager' }),
      ...named(`uniswapV4[${i}].stateView`, stateView, { role: 'state-view', poolManager }),
    ]),
    ...named('multicall3', multicall3, { role: 'multicall3' }),
    ...named('stocks.beacon', stocks.beacon, { role: 'beacon' }),
    ...trustedQuotes.flatMap(({ address }, i) =>
      named(`trustedQuotes[${i}].address`, address, { role: 'token' }),
    ),
  ]
}

export const toReviewedHooks = ({ reviewedHooks }: Network): ReviewedHooks =>
  new Map(reviewedHooks.map(({ address, note }) => [address, note]))

/** The StateView of a PoolManager; null where the network file has none. */
export const toStateViewOf = ({ uniswapV4 }: Network): ((venue: Address) => Address | null) => {
  const stateViews = new Map(uniswapV4.map((venue) => [venue.poolManager, venue.stateView]))
  return (venue) => stateViews.get(venue) ?? null
}

/** Converts the configured network to the form of the indexer. */
export const toIndexedNetwork = ({ network }: Config): IndexedNetwork => {
  const startBlocks = new Map<Address, BlockNumber>([
    ...network.uniswapV3.map(({ factory, startBlock }) => [factory, startBlock] as const),
    ...network.uniswapV4.map(({ poolManager, startBlock }) => [poolManager, startBlock] as const),
  ])
  return {
    name: network.name,
    chainId: network.chainId,
    venues: {
      factories: new Map(
        network.uniswapV3.map(({ factory, initCodeHash }) => [factory, { initCodeHash }]),
      ),
      managers: new Set(network.uniswapV4.map(({ poolManager }) => poolManager)),
    },
    origin: firstStartBlock(network),
    startBlockOf: (venue) => startBlocks.get(venue) ?? firstStartBlock(network),
    stateViewOf: toStateViewOf(network),
    contracts: listContracts(network),
    trusted: network.trustedQuotes,
    reviewedHooks: toReviewedHooks(network),
    stocks: toStockListings(network),
    beacon: network.stocks.beacon,
  }
}
