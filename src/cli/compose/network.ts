import type { Config } from '../../config/config.ts'
import type { Network } from '../../config/network.ts'
import { getProtocol } from '../../domain/dex/find-protocol.ts'
import type { Probe } from '../../domain/dex/protocol.ts'
import type { ReviewedHooks } from '../../domain/dex/uniswap-v4/hook-flags.ts'
import type { Venues } from '../../domain/dex/venue.ts'
import { listingNameOf, type StockListing } from '../../domain/stock/stock.ts'
import type { StandardOf } from '../../domain/stock/stock-standard.ts'
import { type Address, type BlockNumber, nativeAddress } from '../../domain/units.ts'
import type { IndexedNetwork } from '../../indexer/deps.ts'
import { type NamedContract, probes } from '../../indexer/verify/contract-check.ts'

const firstStartBlock = ({ venues }: Network): BlockNumber =>
  Math.min(...venues.map(({ startBlock }) => startBlock))

const toStockListings = ({ stocks }: Network): readonly StockListing[] =>
  stocks.tokens.map(({ symbol, name, address, decimals, feed }) => ({
    symbol,
    address,
    decimals,
    feed,
    ...listingNameOf(name),
  }))

/** The network file's standard of a stock; of any other that of its live list. */
export const toStandardOf = ({ stocks }: Network): StandardOf => {
  const listed = new Map(stocks.tokens.map(({ address, standard }) => [address, standard]))
  return (address) => listed.get(address) ?? stocks.standard
}

/** Every contract that the indexer calls or trusts, with its key in the network file. */
const listContracts = (network: Network): readonly NamedContract[] => {
  const { venues, multicall3, stocks, trustedQuotes } = network
  const named = (key: string, address: Address | null, probe: Probe): readonly NamedContract[] =>
    address === null || address === nativeAddress ? [] : [{ key, address, probe }]
  return [
    ...venues.flatMap((venue) =>
      getProtocol(venue.protocol)
        .network.contracts(venue)
        .map((contract) => ({ ...contract, key: `${venue.path}.${contract.key}` })),
    ),
    ...named('multicall3', multicall3, probes.multicall3),
    ...named('stocks.beacon', stocks.beacon, probes.beacon),
    ...trustedQuotes.flatMap(({ address }, i) =>
      named(`trustedQuotes[${i}].address`, address, probes.token),
    ),
  ]
}

export const toReviewedHooks = ({ reviewedHooks }: Network): ReviewedHooks =>
  new Map(reviewedHooks.map(({ address, note }) => [address, note]))

export const toVenues = ({ venues }: Network): Venues =>
  new Map(venues.map((venue) => [venue.address, venue]))

/** Converts the configured network to the form of the indexer. */
export const toIndexedNetwork = ({ network }: Config): IndexedNetwork => {
  const venues = toVenues(network)
  return {
    name: network.name,
    chainId: network.chainId,
    venues,
    origin: firstStartBlock(network),
    stateViewOf: (venue) => venues.get(venue)?.stateView ?? null,
    contracts: listContracts(network),
    trusted: network.trustedQuotes,
    reviewedHooks: toReviewedHooks(network),
    stocks: toStockListings(network),
    standardOf: toStandardOf(network),
  }
}
