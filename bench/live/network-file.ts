import type { NetworkFile } from '../../sandbox/network-file.ts'
import { nativeAddress } from '../../src/domain/units.ts'
import { initCodeHash } from '../../test/support/domain/sample-pool.ts'
import {
  beacon,
  factory,
  manager,
  multicall3,
  type SyntheticToken,
  stateView,
  stockTokens,
  syntheticNetwork,
  trustedTokens,
} from '../chain/contracts-and-tokens.ts'
import { chainId, originBlock } from '../chain/params.ts'

const entryOf = ({ symbol, address, decimals, feed }: SyntheticToken) => ({
  symbol,
  address,
  decimals,
  feed: feed?.proxy ?? null,
})

/** Polling interval of the service. */
export const pollMs = 250

/** Network file of the synthetic chain. */
export const createNetworkFile = (rpcUrl: string): NetworkFile => ({
  name: syntheticNetwork.name,
  chainId,
  rpcUrls: [rpcUrl],
  multicall3,
  uniswapV3: [{ factory, startBlock: originBlock, initCodeHash }],
  pancakeswapV3: [],
  algebraIntegral: [],
  uniswapV4: [{ poolManager: manager, stateView, startBlock: originBlock }],
  reviewedHooks: [],
  wrappedNative: trustedTokens.find(({ symbol }) => symbol === 'WETH')?.address ?? nativeAddress,
  trustedQuotes: trustedTokens.map(entryOf),
  stocks: {
    beacon,
    registryUrl: null,
    tokens: stockTokens.map((stock) => ({ ...entryOf(stock), name: `${stock.symbol} Inc.` })),
  },
  quoteSources: [{ kind: 'chainlink' }],
  screener: null,
  traders: false,
  finality: 'finalized',
  confirmations: 0,
  pollMs,
  historyDays: 7,
})
