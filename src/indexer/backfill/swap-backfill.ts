import type { BlockRef } from '../../domain/chain/block-ref.ts'
import type { ChainLog } from '../../domain/chain/log.ts'
import { poolTopicsOf } from '../../domain/dex/protocol.ts'
import { failure, type Outcome, success } from '../../domain/outcome.ts'
import type { Hash } from '../../domain/units.ts'
import type { BlockRange, BlockRangeLogs, LogFilter, RpcFault } from '../../ports/chain-reader.ts'
import type { Store } from '../../ports/store.ts'
import type {
  BackfillBatch,
  BackfillCursor,
  SyncProgress,
  SyncProgressWithEvents,
} from '../../ports/store-batches.ts'
import type { StepResult } from '../../util/loop.ts'
import { backfillProgress, isBackfillUnfinished } from '../backfill-window.ts'
import type { IndexerEvents } from '../events.ts'
import { groupFilter } from '../pool-log-filters.ts'
import { createCrossCheckWithFallback, createSingleEndpointWarning } from '../scan/cross-check.ts'
import {
  createScanRanges,
  crossCheckedRangesMax,
  mergeInChainOrder,
  stepScans,
} from '../scan/log-scan.ts'
import type { SourceReport } from '../source-report.ts'
import { createFaultHandler } from '../sync-fault.ts'
import {
  type HistoricalIngestDeps,
  type HistoricalPools,
  ingestHistoricalRange,
  openHistoricalPools,
  openingCandlesAt,
} from './historical-ingest.ts'
import {
  createPriceBackfill,
  type PriceBackfill,
  type PriceBackfillDeps,
} from './price-backfill.ts'

type Deps = HistoricalIngestDeps &
  PriceBackfillDeps & {
    readonly store: Store
    readonly report: SourceReport
    readonly events: IndexerEvents
    readonly onProgress: (progress: SyncProgressWithEvents) => void
  }

/** Reads the swaps of the days before the bootstrap's block, newest first (methodology §8). */
export type SwapBackfill = {
  /** Reads past prices before any past swap is valued; null once that is complete. */
  readonly prepare: () => Promise<StepResult | null>
  readonly step: () => Promise<StepResult>
  /** Null if the index has no backfill. */
  readonly progress: () => Promise<SyncProgress | null>
  /** Forgets everything after the index was reset. */
  readonly reset: () => void
}

/** Ranges in flight. Each requests its groups of pools one after another. */
const rangesMax = 3
/** Some seconds of a busy chain, some minutes of a quiet one. */
const firstRangeBlocks = 2000
/**
 * Cross-checked ranges may be this small, or smaller if the backfill is short: more ranges, each
 * requested group by group, would take days.
 */
const crossCheckedBlocksMin = 100
const waitForIndexMs = 1000
/** The backfill is complete: there is more to do only after the index was reset. */
export const backfillIdleWaitMs = 5000
const immediately: StepResult = { waitMs: 0 }

type RangeLogs = {
  readonly logs: readonly ChainLog[]
  /** The block before the range. */
  readonly after: BlockRef
  /** Of the range's last block; null if no group had to be requested. */
  readonly lastHash: Hash | null
}

/** All logs of the pools that existed in the range, in chain order and of one branch. */
const readGroups = async (
  groups: HistoricalPools['groups'],
  range: BlockRange,
  {
    chain,
    readLogs,
  }: Pick<Deps, 'chain'> & {
    readonly readLogs: (filter: LogFilter) => Promise<Outcome<BlockRangeLogs, RpcFault>>
  },
): Promise<Outcome<RangeLogs, RpcFault>> => {
  const after = await chain.getBlockRef(range.from - 1)
  if (!after.ok) return after
  const parts: BlockRangeLogs[] = []
  let lastHash: Hash | null = null
  for (const group of groups) {
    if ((group.pools[0]?.createdBlock ?? 0) > range.to) continue
    const part = await readLogs(groupFilter(group, poolTopicsOf(group.dex)))
    if (!part.ok) return part
    const { parentHash, last } = part.value
    if (parentHash !== after.value.hash || (lastHash ?? last.hash) !== last.hash) {
      const detail = `the chain changed between ${range.from} and ${range.to} while it was read`
      return failure({ kind: 'behind', detail })
    }
    lastHash = last.hash
    parts.push(part.value)
  }
  return success({ logs: mergeInChainOrder(parts), after: after.value, lastHash })
}

/** A batch of reference prices only; the backfill cursor stays where it is. */
const pricesOnly = (current: BackfillCursor, { closes }: PriceBackfill): BackfillBatch => ({
  expectedCursor: current.completeAfter.block,
  after: current.completeAfter,
  progress: backfillProgress(current),
  blocks: [],
  swaps: [],
  liquidity: [],
  candles: [],
  references: closes(),
  lastSwaps: [],
})

/** The cross-checked ranges of the backfill, for the cursor and the groups of the moment. */
const createRanges = (
  { chain, logger }: Deps,
  current: {
    readonly cursor: () => BackfillCursor | null
    readonly groups: () => HistoricalPools['groups']
  },
) => {
  const blocksMin = (): number => {
    const cursor = current.cursor()
    if (cursor === null) return 0
    const total = cursor.startedAt - cursor.firstBlock + 1
    return Math.min(crossCheckedBlocksMin, total / crossCheckedRangesMax)
  }
  const onSingleEndpoint = createSingleEndpointWarning(logger)
  const crossCheck = createCrossCheckWithFallback({
    chain,
    times: true,
    blocksMin,
    onSingleEndpoint,
  })
  return createScanRanges<RangeLogs>({
    read: (range, next) => {
      const readLogs = (filter: LogFilter) => crossCheck(range, filter, next)
      return readGroups(current.groups(), range, { chain, readLogs })
    },
    countLogs: ({ logs }) => logs.length,
    blocksFirst: firstRangeBlocks,
    rangesMax,
  })
}

export const createSwapBackfill = (deps: Deps): SwapBackfill => {
  const { logger, store, index, onProgress } = deps
  let cursor: BackfillCursor | null = null
  let isLoaded = false
  /** The pools at the cursor; null until they are rewound. */
  let historical: HistoricalPools | null = null
  let events = 0
  const onFault = createFaultHandler(deps)
  let prices: PriceBackfill | null = null
  let isPriced = false

  const ranges = createRanges(deps, {
    cursor: () => cursor,
    groups: () => historical?.groups ?? [],
  })

  const load = async (): Promise<BackfillCursor | null> => {
    if (!isLoaded && index.cursor() !== null) {
      const header = await store.snapshot((snapshot) => snapshot.header())
      cursor = header?.backfillCursor ?? null
      isLoaded = true
    }
    return cursor
  }

  /** Discards pools and ranges in flight, which belong to an outdated cursor. */
  const reopen = (): void => {
    historical = null
    isLoaded = false
    ranges.drop()
  }

  /** The range and the cursor are on two branches; realtime sync finds the canonical one. */
  const onBranchMismatch = (current: BackfillCursor, onChain: Hash): Promise<StepResult> => {
    ranges.drop()
    const { block, hash } = current.completeAfter
    const detail = `block ${block} has hash ${hash} in the store and ${onChain} on the chain`
    return onFault({ kind: 'behind', detail })
  }

  const ingest = async (
    current: BackfillCursor,
    pools: HistoricalPools,
    { range, read }: { readonly range: BlockRange; readonly read: RangeLogs },
  ): Promise<StepResult> => {
    const { lastHash, after, logs } = read
    if (lastHash !== null && lastHash !== current.completeAfter.hash) {
      return onBranchMismatch(current, lastHash)
    }
    const { batch, before, gaps } = ingestHistoricalRange(pools, { range, logs }, deps)
    const next = { ...current, completeAfter: after }
    const progress = backfillProgress(next)
    const isLast = after.block < current.firstBlock
    // The store puts each candle before what it holds of its bucket: the earliest come last.
    const candles = isLast ? [...batch.candles, ...openingCandlesAt(before, after)] : batch.candles
    const outcome = await store
      .commitBackfill({ ...batch, candles, expectedCursor: range.to, after, progress })
      .catch((cause: unknown) => {
        reopen()
        throw cause
      })
    if (outcome === 'stale-cursor') {
      logger.warn('Another writer advanced the backfill, continuing from its cursor')
      reopen()
      return immediately
    }
    if (cursor !== current) return immediately
    historical = before
    cursor = next
    for (const pool of gaps) deps.events.emit('poolMismatched', pool)
    events += logs.length
    onProgress({ ...progress, events })
    return immediately
  }

  return {
    progress: async () => {
      const current = await load()
      return current === null ? null : backfillProgress(current)
    },
    reset: () => {
      reopen()
      cursor = null
      prices = null
      isPriced = false
    },
    prepare: async () => {
      const current = await load()
      if (current === null || isPriced || !isBackfillUnfinished(current)) return null
      prices ??= createPriceBackfill(deps, current)
      const fault = await stepScans([prices.scan])
      if (fault !== null) return onFault(fault)
      if (!prices.scan.isComplete()) return immediately
      await store.commitBackfill(pricesOnly(current, prices))
      isPriced = true
      return null
    },
    step: async () => {
      const current = await load()
      if (!isLoaded) return { waitMs: waitForIndexMs }
      if (current === null) return { waitMs: null }
      if (!isBackfillUnfinished(current)) return { waitMs: backfillIdleWaitMs }
      if (!isPriced) return { waitMs: waitForIndexMs }
      const pools = historical ?? (await openHistoricalPools(current, deps))
      if (cursor !== current) return immediately
      historical = pools
      const [next, last] = [current.completeAfter.block, current.firstBlock]
      const taken = await ranges.take({ direction: 'down', next, last })
      if (taken === null || cursor !== current) return immediately
      const { range, answer } = taken
      return answer.ok
        ? ingest(current, pools, { range, read: answer.value })
        : onFault(answer.fault)
    },
  }
}
