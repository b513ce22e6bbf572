import type { Config } from '../config/config.ts'
import type { Network } from '../config/network.ts'
import { listingNameOf } from '../domain/stock/listing-name.ts'
import type { StockListing } from '../domain/stock/stock.ts'
import type { Address, BlockNumber } from '../domain/units.ts'
import type { IndexedNetwork } from '../pipeline/deps.ts'

const originOf = ({ uniswapV3, uniswapV4 }: Network): BlockNumber =>
  Math.min(...[...uniswapV3, ...uniswapV4].map((venue) => venue.startBlock))

const shippedStocksOf = ({ stocks }: Network): readonly StockListing[] =>
  stocks.tokens.map(({ symbol, name, address, decimals, feed }) => ({
    symbol,
    address,
    decimals,
    feed,
    ...listingNameOf(name),
  }))

/** The chain's particulars in the pipeline's terms. */
export const indexedNetworkOf = ({ network }: Config): IndexedNetwork => {
  const stateViews = new Map<Address, Address | null>(
    network.uniswapV4.map((venue) => [venue.poolManager, venue.stateView]),
  )
  return {
    name: network.name,
    chainId: network.chainId,
    venues: {
      factories: new Map(
        network.uniswapV3.map(({ factory, initCodeHash }) => [factory, { initCodeHash }]),
      ),
      managers: new Set(stateViews.keys()),
    },
    origin: originOf(network),
    stateViewOf: (venue) => stateViews.get(venue) ?? null,
    trusted: network.trustedQuotes,
    stocks: shippedStocksOf(network),
    beacon: network.stocks.beacon,
  }
}
