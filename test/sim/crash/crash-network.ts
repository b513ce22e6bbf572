import { createHash } from 'node:crypto'
import { policyDefault } from '../../../src/domain/status/freshness.ts'
import type { StockListing } from '../../../src/domain/stock/stock.ts'
import type { Address } from '../../../src/domain/units.ts'
import type { IndexedNetwork, IndexerDeps } from '../../../src/indexer/deps.ts'
import { tokens, venues } from '../../support/domain/sample-market.ts'
import { keccak } from '../../support/domain/sample-pool.ts'
import { beaconStandard } from '../../support/domain/sample-standard.ts'
import { startingAt } from '../../support/domain/sample-venues.ts'
import { stateView } from '../../support/indexer/market.ts'
import { createFakeQuotes } from '../../support/indexer/quotes.ts'

export const chainId = 4663
/** The first block of the simulated chain; repeated here so that a process loads less. */
export const origin = 100
export const confirmations = 2
/** Of the swaps that are kept; the bootstrap reads no further back. */
export const historyDays = 1

export const feedOf = (token: Address): Address => `0x${'a'.repeat(20)}${token.slice(2, 22)}`

/** Prices never change, so a swap's value does not depend on when it was read. */
export const prices: ReadonlyMap<Address, number> = new Map([
  [tokens.usdg, 1],
  [tokens.weth, 2500],
  [tokens.apple, 150],
  [tokens.tesla, 300],
])

const listingOf = (symbol: string, address: Address): StockListing => ({
  symbol,
  name: symbol,
  issuer: null,
  address,
  decimals: 18,
  feed: feedOf(address),
})

export const crashNetwork: IndexedNetwork = {
  name: 'crash',
  chainId,
  venues: startingAt(origin, venues),
  origin,
  stateViewOf: () => stateView,
  contracts: [],
  reviewedHooks: new Map(),
  trusted: [
    { symbol: 'USDG', address: tokens.usdg, feed: feedOf(tokens.usdg) },
    { symbol: 'WETH', address: tokens.weth, feed: feedOf(tokens.weth) },
  ],
  stocks: [listingOf('AAPL', tokens.apple), listingOf('TSLA', tokens.tesla)],
  standardOf: beaconStandard(null),
}

type Given = Pick<IndexerDeps, 'chain' | 'store' | 'clock' | 'logger' | 'onRefused' | 'pollMs'>

/** The dependencies of an indexer of such a chain, which starts with a bootstrap. */
export const indexerDepsOf = (given: Given): IndexerDeps => ({
  ...given,
  network: crashNetwork,
  keccak256: keccak,
  sha256: (text) => `0x${createHash('sha256').update(text).digest('hex')}`,
  random: Math.random,
  policy: { ...policyDefault, confirmations },
  quoteSources: [createFakeQuotes('issuer', Object.fromEntries(prices)).source],
  registry: null,
  screener: null,
  readSenders: null,
  historyDays,
  bootstrapBlocksMin: 30,
  onProgress: () => {},
})
