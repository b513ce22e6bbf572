import type { Config } from '../../config/config.ts'
import type { Network } from '../../config/network.ts'
import { listingNameOf, type StockListing } from '../../domain/stock/stock.ts'
import { type Address, type BlockNumber, nativeAddress } from '../../domain/units.ts'
import type { IndexedNetwork } from '../../indexer/deps.ts'
import type { NamedContract } from '../../indexer/verify/contract-check.ts'

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

/** Every contract that is asked or believed, under its key in the network file. */
const contractsOf = (network: Network): readonly NamedContract[] => {
  const { uniswapV3, uniswapV4, multicall3, stocks, trustedQuotes } = network
  const at = (
    key: string,
    address: Address | null,
    rest: Pick<NamedContract, 'role' | 'poolManager'>,
  ): readonly NamedContract[] =>
    address === null || address === nativeAddress ? [] : [{ key, address, ...rest }]
  return [
    ...uniswapV3.flatMap(({ factory }, i) =>
      at(`uniswapV3[${i}].factory`, factory, { role: 'v3-factory' }),
    ),
    ...uniswapV4.flatMap(({ poolManager, stateView }, i) => [
      ...at(`uniswapV4[${i}].poolManager`, poolManager, { role: 'pool-manager' }),
      ...at(`uniswapV4[${i}].stateView`, stateView, { role: 'state-view', poolManager }),
    ]),
    ...at('multicall3', multicall3, { role: 'multicall3' }),
    ...at('stocks.beacon', stocks.beacon, { role: 'beacon' }),
    ...trustedQuotes.flatMap(({ address }, i) =>
      at(`trustedQuotes[${i}].address`, address, { role: 'token' }),
    ),
  ]
}

/** The chain's particulars in the pipeline's terms. */
export const toIndexedNetwork = ({ network }: Config): IndexedNetwork => {
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
    contracts: contractsOf(network),
    trusted: network.trustedQuotes,
    stocks: shippedStocksOf(network),
    beacon: network.stocks.beacon,
  }
}
