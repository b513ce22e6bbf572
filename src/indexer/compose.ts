import { poolTopics } from '../domain/ingest/decode-pool-log.ts'
import type { TrackedPool } from '../domain/pool/tracked-pool.ts'
import { createPricingPools } from '../domain/price/pricing-pools.ts'
import type { SourceId } from '../domain/status/source-state.ts'
import { answerUpdatedTopic, multiplierUpdatedTopic } from '../domain/stock/onchain-events.ts'
import { secondsPerDay } from '../domain/time.ts'
import type { StepResult } from '../util/loop.ts'
import { composeCoverage } from './compose-coverage.ts'
import {
  composeHistoricalSync,
  type HistoricalSync,
  type SyncParts,
} from './compose-historical-sync.ts'
import { composeTokens, type Tokens } from './compose-tokens.ts'
import type { IndexerDeps, StoredState } from './deps.ts'
import { createEnricher } from './enrich/enrich.ts'
import { createExternalReserves, createPoolsWithoutReserves } from './enrich/external-reserves.ts'
import { createHotPools } from './enrich/hot-pools.ts'
import { createReferencePrices } from './enrich/reference-prices.ts'
import { createSwapTraders } from './enrich/swap-traders.ts'
import type { TokenMetadataReader } from './enrich/token-metadata.ts'
import { createIndexerEvents, type IndexerEvents } from './events.ts'
import { createHeadFollower } from './realtime/follow-head.ts'
import { createHeadCache } from './realtime/head-cache.ts'
import { createBranchReplacer } from './reorg/replace-branch.ts'
import { createPoolReplayer, type ReplayPool } from './reorg/replay-pool.ts'
import { createSourceReport, type SourceReport } from './source-report.ts'
import { createIndexState, type IndexState } from './state/index-state.ts'
import type { PoolSelector } from './state/pool-selection.ts'
import { createFeeCheck, type FeeCheck } from './verify/fee-check.ts'
import { createFinalityChecker } from './verify/finality-check.ts'
import { createPoolStateChecker } from './verify/pool-state-check.ts'
import { createPoolRebuilder, type PoolRebuilder } from './verify/rebuild-pools.ts'
import { createRejectedLogs, type RejectedLogs } from './verify/rejected-logs.ts'
import { createShortPools, type ShortPools } from './verify/short-pools.ts'

/** Between steps pools are rebuilt and heads read again. */
const rangesPerStep = 8

/** Source reports, each continuing the stored record of an earlier run. */
const composeReports = (
  { store, clock, endpointWarning = () => null }: IndexerDeps,
  sources: StoredState['sources'],
  poolWarnings: () => readonly (string | null)[],
) => {
  const reportOf = (source: SourceId): SourceReport => {
    const record = sources.find((stored) => stored.source === source) ?? null
    const ofSwaps = () => (source === 'swaps' ? [endpointWarning()] : [])
    const permanentWarnings = source === 'pools' ? poolWarnings : ofSwaps
    return createSourceReport(source, { store, clock, stored: record, permanentWarnings })
  }
  return { reportOf, reportSwaps: reportOf('swaps'), reportPools: reportOf('pools') }
}

/** One loop for bootstrap, rebuilt pools, findings and realtime sync: they write the same rows. */
const composeRealtimeSync = (
  deps: IndexerDeps,
  parts: SyncParts & {
    readonly replayPool: ReplayPool
    readonly rebuilder: PoolRebuilder
    readonly shortPools: ShortPools
    readonly feeCheck: FeeCheck
    readonly historical: HistoricalSync
  },
) => {
  const { chain, store, logger, sha256, pollMs, onProgress, historyDays } = deps
  const { heads, index, feeds, replayPool, rebuilder, historical, report } = parts
  const [{ origin }, { confirmations }] = [deps.network, deps.policy]
  const topics = [...poolTopics, answerUpdatedTopic, multiplierUpdatedTopic]
  const common = { chain, store, logger, index, topics, origin, confirmations }
  const branches = createBranchReplacer({ ...common, replayPool })
  const finalityChecker = createFinalityChecker({
    ...common,
    branches,
    sha256,
    readMsMax: pollMs,
    decodePrices: feeds.decodePrices,
    swapsKeptSinceTs: () => (index.cursor()?.ts ?? 0) - historyDays * secondsPerDay,
  })
  const follower = createHeadFollower({
    ...common,
    heads,
    report,
    branches,
    finalityChecker,
    rangesPerStep,
    pollMs,
    backfillProgress: historical.backfillProgress,
    onProgress,
  })
  return async (): Promise<StepResult> => {
    const result = await historical.stepBeforeRealtime()
    if (result !== null) return result
    await rebuilder.writeReplayed()
    await parts.shortPools.writeFindings()
    await parts.feeCheck.writeFindings()
    return follower.step()
  }
}

/** Prices, external reserves and hot pools. */
const composeEnrichment = (
  deps: IndexerDeps,
  parts: Tokens & {
    readonly index: IndexState
    readonly reportOf: (source: SourceId) => SourceReport
    readonly quotes: StoredState['quotes']
    readonly poolsWithoutReserves: PoolSelector
  },
) => {
  const { chain, store, clock, logger, network, policy, screener } = deps
  const { stocks, decimalsOf, roles, wanted, index, references, reportOf } = parts
  const hotPools = createHotPools({ store, index, roles, decimalsOf })
  const externalReserves = createExternalReserves({
    chain,
    clock,
    logger,
    index,
    decimalsOf,
    hotPools: hotPools.latest,
    poolsWithoutReserves: parts.poolsWithoutReserves,
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
      standardOf: deps.network.standardOf,
      stored: parts.quotes,
    }),
    referenceHistory: references,
    index,
    pricingPools: () => createPricingPools(index.windows(), parts),
    hotPools,
    externalReserves: externalReserves.rows,
  })
  return { enrichStep: enricher.step, externalReservesStep: externalReserves.step }
}

/** Pools compared with their contracts: state, fees and balances. */
const composeStateCheck = (
  { chain, store, logger, network }: IndexerDeps,
  parts: {
    readonly index: IndexState
    readonly events: IndexerEvents
    readonly rebuilder: PoolRebuilder
    readonly report: SourceReport
  },
) => {
  const { index, events, rebuilder, report } = parts
  const shortPools = createShortPools({ chain, store, index, logger })
  const feeCheck = createFeeCheck({ store, index, logger })
  const stateChecker = createPoolStateChecker({
    ...{ chain, index, logger, report, shortPools, feeCheck },
    stateViewOf: network.stateViewOf,
    onAgreed: rebuilder.confirm,
    onMismatch: (pool) => events.emit('poolMismatched', pool.identity.number),
  })
  return { shortPools, feeCheck, stateCheckStep: stateChecker.step }
}

/** Subscribes the parts to events; listeners run in the order of these lines. */
const subscribeParts = (
  events: IndexerEvents,
  parts: {
    readonly tokens: TokenMetadataReader
    readonly rebuilder: PoolRebuilder
    readonly shortPools: ShortPools
    readonly feeCheck: FeeCheck
    readonly rejectedLogs: RejectedLogs
    readonly poolsWithoutReserves: PoolSelector
  },
): void => {
  const { tokens, rebuilder, shortPools, feeCheck, rejectedLogs } = parts

  const requestTokens = ({ key }: TrackedPool['identity']): void => {
    tokens.request(key.token0)
    tokens.request(key.token1)
  }
  /** Repeats what an earlier process may not have finished for this pool. */
  const inspectPool = (pool: TrackedPool): void => {
    const { identity, state } = pool
    requestTokens(identity)
    feeCheck.recheck(pool)
    if (state.mapFault === 'index_gap') rebuilder.enqueue(identity.number, 'events')
    if (state.mapFault === 'reserve_short') shortPools.recheck(identity.id)
  }

  events.on('poolSetCreated', parts.poolsWithoutReserves)
  events.on('rangeIngested', (ingested) => {
    for (const rejected of ingested.rejected) rejectedLogs.record(rejected, rejected.count)
    for (const pool of ingested.touched) inspectPool(pool)
  })
  events.on('poolLoaded', inspectPool)
  events.on('poolsDiscovered', (pools) => {
    for (const pool of pools) requestTokens(pool)
  })
  events.on('poolMismatched', (pool) => rebuilder.enqueue(pool, 'contract'))
}

/** Null if the network file asks for no traders. */
const composeTraders = ({ readSenders, ...deps }: IndexerDeps) =>
  readSenders === null ? null : createSwapTraders({ ...deps, readSenders }).step

/** Creates the parts in order of dependency; the scheduler runs their steps. */
export const composeIndexer = (deps: IndexerDeps, stored: StoredState) => {
  const { chain, store, clock, logger, network, keccak256, random } = deps
  const { venues } = network
  const events = createIndexerEvents()
  const heads = createHeadCache(deps)
  const known = composeTokens(deps, { heads, cursor: () => index.cursor() }, stored)
  const { contracts, stocks, tokens } = known
  const rejectedLogs = createRejectedLogs(logger)
  const poolWarnings = () =>
    [contracts, stocks, rejectedLogs, audit].map(({ warning }) => warning())
  const { reportOf, reportSwaps, reportPools } = composeReports(deps, stored.sources, poolWarnings)

  const index = createIndexState({ ...known, store, venues, keccak256, events, random })
  const replayPool = createPoolReplayer({ chain, store, venues, keccak256 })
  const rebuilder = createPoolRebuilder({ replayPool, store, index, clock, logger })
  const checked = { index, events, rebuilder, report: reportPools }
  const { shortPools, feeCheck, stateCheckStep } = composeStateCheck(deps, checked)
  const syncParts = { ...known, heads, index, report: reportSwaps, events, rejectedLogs }
  const historical = composeHistoricalSync(deps, syncParts)
  const audit = composeCoverage(deps, { ...syncParts, ...historical })
  const poolsWithoutReserves = createPoolsWithoutReserves(network.standardOf)
  const enrichment = { ...known, index, reportOf, quotes: stored.quotes, poolsWithoutReserves }
  const { enrichStep, externalReservesStep } = composeEnrichment(deps, enrichment)
  const found = { rejectedLogs, poolsWithoutReserves }
  subscribeParts(events, { tokens, rebuilder, shortPools, feeCheck, ...found })
  return {
    ...known,
    events,
    heads,
    index,
    realtimeStep: composeRealtimeSync(deps, {
      ...syncParts,
      replayPool,
      rebuilder,
      shortPools,
      feeCheck,
      historical,
    }),
    backfillStep: historical.backfillStep,
    rebuildStep: rebuilder.replayStep,
    enrichStep,
    stateCheckStep,
    coverageAuditStep: audit.step,
    venueAuditStep: audit.venueStep,
    tradersStep: composeTraders(deps),
    externalReservesStep,
    reportSwaps,
    reportPools,
  }
}

export type IndexerParts = ReturnType<typeof composeIndexer>
