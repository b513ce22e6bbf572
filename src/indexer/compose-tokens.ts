import type { BlockRef } from '../domain/chain/block-ref.ts'
import type { TokenRoles } from '../domain/pool/pool-kind.ts'
import { createReferenceHistory } from '../domain/price/reference-history.ts'
import type { QuoteRequest } from '../ports/sources.ts'
import { createChainlinkFeeds } from './chainlink-history.ts'
import { createConfirmedBlock } from './confirmed-block.ts'
import type { IndexerDeps, StoredState } from './deps.ts'
import { createStockRegistry } from './enrich/stock-registry.ts'
import { createTokenMetadataReader } from './enrich/token-metadata.ts'
import type { HeadCache } from './realtime/head-cache.ts'
import { createContractCheck } from './verify/contract-check.ts'

/** Contracts, stocks, tokens and feeds, as the network file and the chain describe them. */
export const composeTokens = (
  deps: IndexerDeps,
  chainState: { readonly heads: HeadCache; readonly cursor: () => BlockRef | null },
  stored: StoredState,
) => {
  const { chain, store, clock, logger, network, registry } = deps
  const confirmedBlock = createConfirmedBlock(chainState)
  const common = { chain, store, clock, logger, confirmedBlock }
  const contracts = createContractCheck({ ...common, contracts: network.contracts })
  const stocks = createStockRegistry({
    ...common,
    listSource: registry,
    shipped: network.stocks,
    standardOf: network.standardOf,
    stored: stored.stocks,
  })
  const { decimals, unknownTokens } = stored
  const tokens = createTokenMetadataReader({ ...common, decimals, unknownTokens })
  const trusted = new Set(network.trusted.map((token) => token.address))
  const roles: TokenRoles = {
    // Unverified stocks count: their pools must not be missed until the chain answers.
    isStock: (address) => (stocks.get(address)?.verdict ?? 'disproven') !== 'disproven',
    isTrusted: (address) => trusted.has(address),
  }
  const wanted = (): readonly QuoteRequest[] => [
    ...network.trusted.map((token) => ({ ...token, isStock: false, feedPer: 'token' as const })),
    ...stocks.all().map((stock) => {
      const { feedPer } = network.standardOf(stock.address)
      return { ...stock, isStock: true, feedPer }
    }),
  ]
  const feeds = createChainlinkFeeds({ chain, logger, quoteRequests: wanted })
  const references = createReferenceHistory()
  const { decimalsOf } = tokens
  const { reviewedHooks } = network
  return {
    contracts,
    stocks,
    tokens,
    decimalsOf,
    roles,
    reviewedHooks,
    wanted,
    feeds,
    references,
  }
}

export type Tokens = ReturnType<typeof composeTokens>
