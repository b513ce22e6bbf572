import { poolTopics } from '../domain/ingest/decode-pool-log.ts'
import type { TokenRoles } from '../domain/pool/pool-kind.ts'
import type { TrackedPool } from '../domain/pool/tracked-pool.ts'
import type { Quote } from '../domain/price/quote.ts'
import { createReferenceHistory } from '../domain/price/reference-history.ts'
import type { Reading } from '../domain/reading.ts'
import type { SourceId, SourceRecord } from '../domain/status/source-state.ts'
import { answerUpdatedTopic, multiplierUpdatedTopic } from '../domain/stock/onchain-events.ts'
import type { Stock } from '../domain/stock/stock.ts'
import { secondsPerDay } from '../domain/time.ts'
import type { Address } from '../domain/units.ts'
import type { QuoteRequest } from '../ports/sources.ts'
import type { StepResult } from '../util/loop.ts'
import type { IndexerDeps } from './deps.ts'
import { type ChainlinkFeeds, createChainlinkFeeds } from './enrich/chainlink-history.ts'
import { createEnricher } from './enrich/enrich.ts'
import { createExternalReserves, selectPoolsWithoutReserves } from './enrich/external-reserves.ts'
import { createHotPools } from './enrich/hot-pools.ts'
import { createPoolPricePaths, type PoolPricePaths } from './enrich/pool-price-paths.ts'
import { createReferencePrices } from './enrich/reference-prices.ts'
import { createSourceReport, type SourceReport } from './enrich/source-report.ts'
import { createStockRegistry } from './enrich/stock-registry.ts'
import { createTokenMetadataReader, type TokenMetadataReader } from './enrich/token-metadata.ts'
import { createIndexerEvents, type IndexerEvents } from './events.ts'
import { composeHistoricalSync, type HistoricalSync } from './historical-sync.ts'
import { createHeadFollower } from './realtime/follow-head.ts'
import { createHeadCache, type HeadCache } from './realtime/head-cache.ts'
import { createBranchReplacer } from './realtime/replace-branch.ts'
import { createIndexState, type IndexState } from './state/index-state.ts'
import { createContractCheck } from './verify/contract-check.ts'
import { createFinalityChecker } from './verify/finality-check.ts'
import { createStateChecker } from './verify/pool-state-check.ts'
import { createRebuilder, type Rebuilder } from './verify/rebuild-pools.ts'
import { createRejectedLogs, type RejectedLogs } from './verify/rejected-logs.ts'
import { createPoolReplay, type ReplayPool } from './verify/replay-pool.ts'

/** What the store held when the indexer started. */
export type StoredState = {
  readonly decimals: Map<Address, Reading<number>>
  readonly stocks: readonly Stock[]
  readonly quotes: readonly Quote[]
  readonly sources: readonly SourceRecord[]
}

/** One is written while the next is folded; what else there is to do comes in between. */
const rangesPerStep = 8

/** What is known of contracts, stocks, tokens and feeds, by the network file and by the chain. */
const composeTokens = (deps: IndexerDeps, stored: StoredState) => {
  const { chain, store, clock, logger, network, registry } = deps
  const contracts = createContractCheck({ chain, logger, contracts: network.contracts })
  const stocks = createStockRegistry({
    chain,
    store,
    clock,
    logger,
    listSource: registry,
    shipped: network.stocks,
    beacon: network.beacon,
    stored: stored.stocks,
  })
  const tokens = createTokenMetadataReader({ chain, store, logger, decimals: stored.decimals })
  const trusted = new Set(network.trusted.map((token) => token.address))
  const roles: TokenRoles = {
    // Unread candidates count: their pools must not be missed while the chain is asked.
    isStock: (address) => (stocks.get(address)?.verdict ?? 'disproven') !== 'disproven',
    isTrusted: (address) => trusted.has(address),
  }
  const wanted = (): readonly QuoteRequest[] => [
    ...network.trusted.map((token) => ({ ...token, isStock: false })),
    ...stocks.all().map((stock) => ({ ...stock, isStock: true })),
  ]
  const feeds = createChainlinkFeeds({ chain, logger, wanted })
  return { contracts, stocks, tokens, roles, wanted, feeds, references: createReferenceHistory() }
}

/** Reports of sources, each on from its record of an earlier run. */
const composeReports = (
  { store, clock }: IndexerDeps,
  sources: readonly SourceRecord[],
  poolWarnings: () => readonly (string | null)[],
) => {
  const reportOf = (source: SourceId): SourceReport => {
    const record = sources.find((each) => each.source === source) ?? null
    const lacks = source === 'pools' ? { lasting: poolWarnings } : {}
    return createSourceReport(source, { store, clock, before: record, ...lacks })
  }
  return { reportOf, reportSwaps: reportOf('swaps'), reportPools: reportOf('pools') }
}

/** Reads the past first, then follows the chain and settles behind it. */
const composeFollow = (
  deps: IndexerDeps,
  made: {
    readonly heads: HeadCache
    readonly index: IndexState
    readonly feeds: ChainlinkFeeds
    readonly relive: ReplayPool
    readonly rebuilder: Rebuilder
    readonly past: HistoricalSync
    readonly report: SourceReport
  },
) => {
  const { chain, store, logger, sha256, pollMs, onProgress, historyDays } = deps
  const { heads, index, feeds, relive, rebuilder, past, report } = made
  const { origin } = deps.network
  const { confirmations } = deps.policy
  const topics = [...poolTopics, answerUpdatedTopic, multiplierUpdatedTopic]
  const common = { chain, store, logger, index, topics, origin, confirmations }
  const branches = createBranchReplacer({ ...common, relive })
  const settler = createFinalityChecker({
    ...common,
    branches,
    sha256,
    pointsOf: feeds.decodePrices,
    keptSinceTs: () => (index.cursor()?.ts ?? 0) - historyDays * secondsPerDay,
  })
  const reading = { heads, report, rangesPerStep, pollMs, pastProgress: past.progress, onProgress }
  const follower = createHeadFollower({ ...common, ...reading, branches, settler })
  return async (): Promise<StepResult> => {
    const first = await past.first()
    if (first !== null) return first
    // The index stands still while a pool is rebuilt: both would write the same rows.
    await rebuilder.run()
    return follower.step()
  }
}

/** Prices and all that hangs on them. */
const composeEnrichment = (
  deps: IndexerDeps,
  made: ReturnType<typeof composeTokens> & {
    readonly index: IndexState
    readonly reportOf: (source: SourceId) => SourceReport
    readonly quotes: readonly Quote[]
  },
) => {
  const { chain, store, clock, logger, network, policy, screener } = deps
  const { stocks, tokens, roles, wanted, index, references, reportOf } = made
  const { decimalsOf } = tokens
  const poolPrices = createPoolPricePaths({ pools: index.pools, roles, decimalsOf })
  const hotPools = createHotPools({ store, index, roles, decimalsOf })
  const fallback = createExternalReserves({
    chain,
    clock,
    logger,
    index,
    decimalsOf,
    hotPools: hotPools.latest,
    screener: screener === null ? null : { source: screener, report: reportOf('screener') },
  })
  const enricher = createEnricher({
    store,
    clock,
    logger,
    policy,
    report: reportOf('quotes'),
    sources: deps.quoteSources,
    quoteRequests: wanted,
    referencePrices: createReferencePrices({
      policy,
      trusted: network.trusted,
      stocks: stocks.all,
      stockOf: stocks.get,
      before: made.quotes,
    }),
    referenceHistory: references,
    index,
    poolPricePaths: poolPrices,
    hotPools,
    externalReserves: fallback.rows,
  })
  return { poolPrices, enrich: enricher.step, fallback: fallback.step }
}

/** What follows from what happens, in the order of these lines. */
const subscribe = (
  events: IndexerEvents,
  made: {
    readonly poolPrices: PoolPricePaths
    readonly tokens: TokenMetadataReader
    readonly rebuilder: Rebuilder
    readonly refusedLogs: RejectedLogs
  },
): void => {
  const { poolPrices, tokens, rebuilder, refusedLogs } = made

  const wantTokens = ({ key }: TrackedPool['identity']): void => {
    tokens.request(key.token0)
    tokens.request(key.token1)
  }
  /** A listener that heard of this pool before may have ended before it acted on it. */
  const lookAt = ({ identity, state }: TrackedPool): void => {
    wantTokens(identity)
    if (state.mapFault === 'index_gap') rebuilder.enqueue(identity.number)
  }

  events.on('poolSetOpened', poolPrices.pricingPools)
  events.on('poolSetOpened', selectPoolsWithoutReserves)
  events.on('branchReplaced', poolPrices.clear)
  events.on('rangeIngested', (ingested) => {
    poolPrices.record(ingested)
    for (const refused of ingested.rejected) refusedLogs.record(refused, refused.count)
    for (const pool of ingested.touched) lookAt(pool)
  })
  events.on('poolLoaded', lookAt)
  events.on('poolsDiscovered', (pools) => {
    for (const pool of pools) wantTokens(pool)
  })
  events.on('poolContradicted', rebuilder.enqueue)
}

/** Makes the parts in order, and hands each what it needs; nothing runs yet. */
export const composeIndexer = (deps: IndexerDeps, stored: StoredState) => {
  const { chain, store, clock, logger, network, keccak256 } = deps
  const { venues, stateViewOf } = network
  const events = createIndexerEvents()
  const known = composeTokens(deps, stored)
  const { contracts, stocks, tokens, roles, feeds, references } = known
  const refusedLogs = createRejectedLogs(logger)
  const poolWarnings = () => [contracts.warning(), stocks.warning(), refusedLogs.warning()]
  const reports = composeReports(deps, stored.sources, poolWarnings)
  const { reportSwaps, reportPools } = reports

  const pricing = { roles, references, feeds, decimalsOf: tokens.decimalsOf }
  const index = createIndexState({ store, venues, keccak256, events, ...pricing })
  const heads = createHeadCache(deps)
  const relive = createPoolReplay({ chain, store, venues, keccak256 })
  const rebuilder = createRebuilder({ relive, store, index, clock, logger })
  const reading = { heads, index, report: reportSwaps, rejectedLogs: refusedLogs, events }
  const past = composeHistoricalSync(deps, { ...reading, ...pricing, stocks })
  const following = { heads, index, feeds, relive, rebuilder, past, report: reportSwaps }
  const { reportOf } = reports
  const pricedBy = { ...known, index, reportOf, quotes: stored.quotes }
  const { poolPrices, enrich, fallback } = composeEnrichment(deps, pricedBy)
  const checker = createStateChecker({
    chain,
    index,
    logger,
    report: reportPools,
    stateViewOf,
    onMismatch: (pool) => events.emit('poolContradicted', pool.identity.number),
  })
  subscribe(events, { poolPrices, tokens, rebuilder, refusedLogs })
  return {
    ...known,
    events,
    heads,
    index,
    follow: composeFollow(deps, following),
    history: past.history,
    enrich,
    check: checker.step,
    fallback,
    reportSwaps,
    reportPools,
  }
}

export type IndexerParts = ReturnType<typeof composeIndexer>
