import type { ChainLog } from '../domain/chain/log.ts'
import type { SourceId, SourceRecord } from '../domain/freshness/source-state.ts'
import type { Ingested } from '../domain/ingest/ingest.ts'
import { eventsOfLogs } from '../domain/ingest/ledger.ts'
import { poolTopics } from '../domain/ingest/recognise.ts'
import type { TrackedPool } from '../domain/ingest/tracked-pool.ts'
import type { TokenRoles } from '../domain/pool/kind.ts'
import type { Reading } from '../domain/reading.ts'
import type { Quote } from '../domain/stock/quote.ts'
import { createReferenceBook, type ReferenceBook } from '../domain/stock/reference-book.ts'
import type { Stock } from '../domain/stock/stock.ts'
import { answerUpdatedTopic, multiplierUpdatedTopic } from '../domain/stock/stock-events.ts'
import { secondsPerDay } from '../domain/time.ts'
import type { Address, PoolId } from '../domain/units.ts'
import type { QuoteWanted } from '../ports/sources.ts'
import type { StepResult } from '../util/loop.ts'
import { createPastParts, type PastParts } from './bootstrap/past-parts.ts'
import { createBranches } from './branch.ts'
import { type ContractCheck, createContractCheck } from './check-contracts.ts'
import { createStateChecker } from './check-state.ts'
import type { IndexerDeps } from './deps.ts'
import { createEnricher, type EnrichDeps } from './enrich.ts'
import { createFallbackReserves, poolsLackingReserves } from './fallback-reserves.ts'
import { createFeeds, type Feeds } from './feeds.ts'
import { createFollower } from './follow.ts'
import { createHotPools } from './hot-pools.ts'
import { createIndexBook, type IndexBook } from './index-book.ts'
import { createKnownHeads, type KnownHeads } from './known-heads.ts'
import { createRelive, type Relive } from './pool-life.ts'
import { createPoolPrices, type PoolPrices } from './pool-prices.ts'
import { createPriceDesk } from './price-desk.ts'
import { createRebuilder, type Rebuilder } from './rebuild.ts'
import { createRefusedLogs, type RefusedLogs } from './refused-logs.ts'
import { createSettler } from './settle.ts'
import { createSourceReport, type SourceReport } from './source-report.ts'
import { createStockDirectory, type StockDirectory } from './stock-directory.ts'
import { createTokenReader, type TokenReader } from './token-reader.ts'

/** What the store held when the indexer started. */
export type Before = {
  readonly decimals: Map<Address, Reading<number>>
  readonly stocks: readonly Stock[]
  readonly quotes: readonly Quote[]
  readonly sources: readonly SourceRecord[]
}

/** One is written while the next is folded; what else there is to do comes in between. */
const rangesPerStep = 8

type Step = () => Promise<StepResult>

/** All that runs in an indexer, made once and wired together. */
export type Parts = {
  readonly references: ReferenceBook
  readonly contracts: ContractCheck
  readonly stocks: StockDirectory
  readonly tokens: TokenReader
  readonly feeds: Feeds
  readonly heads: KnownHeads
  readonly index: IndexBook
  readonly wanted: () => readonly QuoteWanted[]
  readonly follow: Step
  readonly history: Step
  readonly enrich: Step
  readonly check: Step
  readonly fallback: Step
  readonly reportSwaps: SourceReport
  readonly reportPools: SourceReport
}

/** Called when the logs show that something should be read anew. */
export type Wakers = { readonly stocks: () => void; readonly tokens: () => void }

type Shared = {
  readonly deps: IndexerDeps
  readonly references: ReferenceBook
  readonly contracts: ContractCheck
  readonly refusedLogs: RefusedLogs
  readonly stocks: StockDirectory
  readonly tokens: TokenReader
  readonly roles: TokenRoles
  readonly decimalsOf: (address: Address) => Reading<number>
  readonly wanted: () => readonly QuoteWanted[]
  readonly reportOf: (source: SourceId) => SourceReport
}

const shareOf = (deps: IndexerDeps, before: Before): Shared => {
  const { chain, store, clock, logger, network, registry } = deps
  const stocks = createStockDirectory({
    chain,
    store,
    clock,
    logger,
    registry,
    shipped: network.stocks,
    beacon: network.beacon,
    before: before.stocks,
  })
  const tokens = createTokenReader({ chain, store, logger, decimals: before.decimals })
  const trusted = new Set(network.trusted.map((token) => token.address))
  const contracts = createContractCheck({ chain, logger, contracts: network.contracts })
  const refusedLogs = createRefusedLogs(logger)
  const lasting = () => [contracts.lack(), stocks.lack(), refusedLogs.lack()]
  // By itself: what goes on holding all that was read would hold every token.
  const { sources } = before
  const reportOf = (source: SourceId) => {
    const record = sources.find((each) => each.source === source) ?? null
    const lacks = source === 'pools' ? { lasting } : {}
    return createSourceReport(source, { store, clock, before: record, ...lacks })
  }
  return {
    deps,
    references: createReferenceBook(),
    contracts,
    refusedLogs,
    stocks,
    tokens,
    roles: {
      // Unread candidates count: their pools must not be missed while the chain is asked.
      isStock: (address) => (stocks.get(address)?.verdict ?? 'disproven') !== 'disproven',
      isTrusted: (address) => trusted.has(address),
    },
    decimalsOf: tokens.decimalsOf,
    wanted: () => [
      ...network.trusted.map((token) => ({ ...token, isStock: false })),
      ...stocks.all().map((stock) => ({ ...stock, isStock: true })),
    ],
    reportOf,
  }
}

/** What follows from pools and logs, besides what they say themselves. */
const reactionsOf = (
  { tokens, stocks, refusedLogs }: Shared,
  parts: { readonly poolPrices: PoolPrices; readonly rebuilder: Rebuilder },
  wakers: Wakers,
) => {
  const lookAt = ({ identity, state }: TrackedPool): void => {
    tokens.want(identity.key.token0)
    tokens.want(identity.key.token1)
    if (state.mapFault === 'index_gap') parts.rebuilder.want(identity.number)
  }

  const toIngested = (ingested: Ingested, news: readonly ChainLog[]): void => {
    parts.poolPrices.note(ingested)
    for (const refused of ingested.refused) refusedLogs.note(refused, refused.count)
    for (const pool of ingested.touched) lookAt(pool)
    if (ingested.pools.length > 0) wakers.tokens()
    if (news.some((log) => stocks.get(log.address) !== undefined)) wakers.stocks()
  }

  const toLoaded = (pool: TrackedPool): void => {
    lookAt(pool)
    wakers.tokens()
  }

  return { toIngested, toLoaded }
}

const indexPartsOf = (shared: Shared, feeds: Feeds, wakers: Wakers) => {
  const { deps, references, roles, decimalsOf } = shared
  const { store, chain, clock, logger, keccak256 } = deps
  const { venues } = deps.network
  const poolPrices = createPoolPrices({ pools: () => index.pools(), roles, decimalsOf })
  const index: IndexBook = createIndexBook({
    store,
    roles,
    venues,
    keccak256,
    isNews: (log) => log.topics[0] === multiplierUpdatedTopic,
    references,
    feeds,
    decimalsOf,
    onIngested: (ingested, news) => reactions.toIngested(ingested, news),
    onOpened: (book) => {
      poolPrices.speakers(book)
      poolsLackingReserves(book)
    },
    onLoaded: (pool) => reactions.toLoaded(pool),
    onReplaced: poolPrices.forget,
  })
  const relive = createRelive({ chain, store, venues, keccak256 })
  const rebuilder = createRebuilder({ relive, store, index, clock, logger })
  const reactions = reactionsOf(shared, { poolPrices, rebuilder }, wakers)
  return { index, poolPrices, rebuilder, relive }
}

const createFollowStep = (
  { deps, roles }: Shared,
  past: PastParts,
  parts: {
    readonly heads: KnownHeads
    readonly index: IndexBook
    readonly feeds: Feeds
    readonly rebuilder: Rebuilder
    readonly relive: Relive
    readonly report: SourceReport
  },
): Step => {
  const { index } = parts
  const { network, historyDays, keccak256 } = deps
  const { confirmations } = deps.policy
  const { venues, origin } = network
  const topics = [...poolTopics, answerUpdatedTopic, multiplierUpdatedTopic]
  const isFollowed = (id: PoolId) => index.pools().numberOf(id) !== undefined
  const known = { venues, keccak256, roles, isFollowed }
  const eventsOf = (logs: readonly ChainLog[]) => eventsOfLogs(logs, known)
  const shared = { ...deps, ...parts, topics, origin, eventsOf }
  const branches = createBranches(shared)
  const settler = createSettler({
    ...shared,
    branches,
    pointsOf: parts.feeds.pointsOf,
    confirmations,
    keptSinceTs: () => (index.indexed()?.ts ?? 0) - historyDays * secondsPerDay,
  })
  const onProgress: typeof deps.onProgress = (progress) => {
    if (!past.isFilling()) deps.onProgress(progress)
  }
  const rest = { branches, settler, confirmations, rangesPerStep, onProgress }
  const follower = createFollower({ ...shared, ...rest, index: past.index })
  return async () => {
    const first = await past.first()
    if (first !== null) return first
    // The index stands still while a pool is rebuilt: both would write the same rows.
    await parts.rebuilder.run()
    return follower.step()
  }
}

const createEnrichStep = (
  shared: Shared,
  parts: Pick<EnrichDeps, 'index' | 'poolPrices' | 'desk' | 'hotPools' | 'fallbackReserves'>,
): Step => {
  const { deps, references, wanted, reportOf } = shared
  const { store, clock, logger, policy, quoteSources } = deps
  return createEnricher({
    store,
    clock,
    logger,
    policy,
    report: reportOf('quotes'),
    sources: quoteSources,
    wanted,
    references,
    ...parts,
  }).step
}

/** Makes the parts; nothing runs yet. */
export const assembleParts = (deps: IndexerDeps, before: Before, wakers: Wakers): Parts => {
  const { chain, store, clock, logger, network, policy, screener: source } = deps
  const shared = shareOf(deps, before)
  const { references, stocks, tokens, wanted, roles, decimalsOf, reportOf } = shared
  const feeds = createFeeds({ chain, logger, wanted })
  const { index, poolPrices, rebuilder, relive } = indexPartsOf(shared, feeds, wakers)
  const [reportSwaps, reportPools] = [reportOf('swaps'), reportOf('pools')]
  const heads = createKnownHeads(deps)
  const reading = { heads, index, feeds, rebuilder, report: reportSwaps }
  const following = { ...reading, relive }
  const past = createPastParts({ ...shared, ...reading, wakers })
  const desk = createPriceDesk({
    policy,
    trusted: network.trusted,
    stocks: stocks.all,
    stockOf: stocks.get,
    before: before.quotes,
  })
  const screener = source === null ? null : { source, report: reportOf('screener') }
  const hotPools = createHotPools({ store, index, roles, decimalsOf })
  const around = { chain, clock, logger, index, decimalsOf, hotPools: hotPools.latest }
  const fallback = createFallbackReserves({ ...around, screener })
  const priced = { index, poolPrices, desk, hotPools, fallbackReserves: fallback.rows }
  return {
    references,
    contracts: shared.contracts,
    stocks,
    tokens,
    feeds,
    heads,
    index,
    wanted,
    follow: createFollowStep(shared, past, following),
    history: past.history,
    enrich: createEnrichStep(shared, priced),
    check: createStateChecker({
      chain,
      index,
      logger,
      report: reportPools,
      stateViewOf: network.stateViewOf,
      onMismatch: (pool) => rebuilder.want(pool.identity.number),
    }).step,
    fallback: fallback.step,
    reportSwaps,
    reportPools,
  }
}
