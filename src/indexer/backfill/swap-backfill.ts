import type { BlockRef } from '../../domain/chain/block-ref.ts'
import type { ChainLog } from '../../domain/chain/log.ts'
import { failure, type Outcome, success } from '../../domain/outcome.ts'
import type { Hash } from '../../domain/units.ts'
import type {
  BlockRange,
  BlockRangeLogs,
  ChainReader,
  LogFilter,
  RpcFault,
} from '../../ports/chain-reader.ts'
import type { Store } from '../../ports/store.ts'
import type {
  BackfillBatch,
  BackfillCursor,
  SyncProgress,
  SyncProgressWithEvents,
} from '../../ports/store-batches.ts'
import type { StepResult } from '../../util/loop.ts'
import type { SourceReport } from '../enrich/source-report.ts'
import type { IndexerEvents } from '../events.ts'
import { createCrossCheckWithFallback, createSingleEndpointWarning } from '../scan/cross-check.ts'
import { createScanRanges, inChainOrder, stepScans, witnessedRangesMax } from '../scan/log-scan.ts'
import { groupFilter } from '../scan/pool-log-filters.ts'
import { createOnFault } from '../sync-fault.ts'
import { backfillProgress, isUnfinished } from './backfill-window.ts'
import {
  type HistoricalPools,
  ingestHistoricalRange,
  openHistoricalPools,
  openingCandlesAt,
  type PastDeps,
} from './historical-ingest.ts'
import { createPriceSweep, type PriceBackfill, type PriceSweepDeps } from './price-backfill.ts'

type HistoryDeps = PastDeps &
  PriceSweepDeps & {
    readonly store: Store
    readonly report: SourceReport
    readonly events: IndexerEvents
    readonly onProgress: (progress: SyncProgressWithEvents) => void
  }

/** Fills in the swaps of the days before the index began, newest first (methodology §8). */
export type SwapBackfill = {
  /** Learns the prices of the past, before any swap is valued; null once that is done. */
  readonly prepare: () => Promise<StepResult | null>
  readonly step: () => Promise<StepResult>
  /** How far it is; null if there is nothing to fill in. */
  readonly backfill: () => Promise<SyncProgress | null>
  /** Forgets everything: the reading that it was the past of was dropped. */
  readonly forget: () => void
}

/** Ranges under way at once. Each asks for its groups of pools one after the other. */
const rangesMax = 3
/** Some seconds of a busy chain, some minutes of a quiet one. */
const rangeBlocksFirst = 2000
/**
 * Two endpoints tell the past in ranges of so many blocks or in so many ranges: more of them, each
 * asked for group by group, would take days.
 */
const witnessedBlocksMin = 100
const idleWaitMs = 1000
/** All of it is in; there is more to do only if the reading before it is dropped. */
export const backfillIdleWaitMs = 5000
const again: StepResult = { waitMs: 0 }

const blocksMinOf = ({ startedAt, firstBlock }: BackfillCursor): number =>
  Math.min(witnessedBlocksMin, (startedAt - firstBlock + 1) / witnessedRangesMax)

type Read = {
  readonly logs: readonly ChainLog[]
  /** The block before the range. */
  readonly after: BlockRef
  /** The name of the range's last block; null if nobody had to be asked for logs. */
  readonly lastHash: Hash | null
}

/** All logs of a range that the pools of that time emitted, in chain order and of one branch. */
const readRangeOf = async (
  { groups }: HistoricalPools,
  range: BlockRange,
  {
    chain,
    ask,
  }: {
    readonly chain: ChainReader
    readonly ask: (filter: LogFilter) => Promise<Outcome<BlockRangeLogs, RpcFault>>
  },
): Promise<Outcome<Read, RpcFault>> => {
  const after = await chain.getBlockRef(range.from - 1)
  if (!after.ok) return after
  const answers: BlockRangeLogs[] = []
  let lastHash: Hash | null = null
  for (const group of groups) {
    if ((group.pools[0]?.createdBlock ?? 0) > range.to) continue
    const answer = await ask(groupFilter(group, group.dex.topics))
    if (!answer.ok) return answer
    const { parentHash, last } = answer.value
    if (parentHash !== after.value.hash || (lastHash ?? last.hash) !== last.hash) {
      const detail = `the chain changed between ${range.from} and ${range.to} while it was read`
      return failure({ kind: 'behind', detail })
    }
    lastHash = last.hash
    answers.push(answer.value)
  }
  return success({ logs: inChainOrder(answers), after: after.value, lastHash })
}

/** The references alone: the past stays where it is. */
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

export const createSwapBackfill = (deps: HistoryDeps): SwapBackfill => {
  const { chain, logger, store, index, onProgress } = deps
  let history: BackfillCursor | null = null
  let isLoaded = false
  let past: HistoricalPools = { pools: new Map(), groups: [], undrawn: [] }
  let isOpen = false
  let events = 0
  const onFault = createOnFault(deps)
  let prices: PriceBackfill | null = null
  let isPriced = false
  const twoOrOne = createCrossCheckWithFallback({
    chain,
    times: true,
    blocksMin: () => (history === null ? 0 : blocksMinOf(history)),
    onAlone: createSingleEndpointWarning(logger),
  })
  const ranges = createScanRanges<Read>({
    read: (range, next) =>
      readRangeOf(past, range, { chain, ask: (filter) => twoOrOne(range, filter, next) }),
    countLogs: ({ logs }) => logs.length,
    blocksFirst: rangeBlocksFirst,
    rangesMax,
  })

  const load = async (): Promise<BackfillCursor | null> => {
    if (!isLoaded && index.cursor() !== null) {
      const header = await store.snapshot((snapshot) => snapshot.header())
      history = header?.backfillCursor ?? null
      isLoaded = true
    }
    return history
  }

  /** What was read ahead was read for a past that is no longer ours. */
  const reopen = (): void => {
    isOpen = false
    isLoaded = false
    ranges.drop()
  }

  /** What is below is of another branch than what we have above; following finds out which left. */
  const left = ({ completeAfter }: BackfillCursor, now: Hash): Promise<StepResult> => {
    ranges.drop()
    const { block, hash } = completeAfter
    const detail = `block ${block} has hash ${hash} in the store and ${now} on the chain`
    return onFault({ kind: 'behind', detail })
  }

  const fill = async (current: BackfillCursor, range: BlockRange, read: Read) => {
    const { lastHash, after } = read
    if (lastHash !== null && lastHash !== current.completeAfter.hash) return left(current, lastHash)
    const { batch, before, gaps } = ingestHistoricalRange(past, { range, logs: read.logs }, deps)
    const next = { ...current, completeAfter: after }
    const backfill = backfillProgress(next)
    const isLast = after.block < current.firstBlock
    // Each candle is an earlier half than what is kept: the earliest come last.
    const candles = isLast ? [...batch.candles, ...openingCandlesAt(before, after)] : batch.candles
    const outcome = await store
      .commitBackfill({ ...batch, candles, expectedCursor: range.to, after, progress: backfill })
      .catch((cause: unknown) => {
        reopen()
        throw cause
      })
    if (outcome === 'stale-cursor') {
      logger.warn('Another writer filled in the past; it is taken up where it stands')
      reopen()
      return again
    }
    if (history !== current) return again
    past = before
    history = next
    for (const pool of gaps) deps.events.emit('poolContradicted', pool)
    events += read.logs.length
    onProgress({ ...backfill, events })
    return again
  }

  return {
    backfill: async () => {
      const current = await load()
      return current === null ? null : backfillProgress(current)
    },
    forget: () => {
      reopen()
      history = null
      prices = null
      isPriced = false
    },
    prepare: async () => {
      const current = await load()
      if (current === null || isPriced || !isUnfinished(current)) return null
      prices ??= createPriceSweep(deps, current)
      const fault = await stepScans([prices.sweep])
      if (fault !== null) return onFault(fault)
      if (!prices.sweep.isOver()) return again
      await store.commitBackfill(pricesOnly(current, prices))
      isPriced = true
      return null
    },
    step: async () => {
      const current = await load()
      if (!isLoaded) return { waitMs: idleWaitMs }
      if (current === null) return { waitMs: null }
      if (!isUnfinished(current)) return { waitMs: backfillIdleWaitMs }
      if (!isPriced) return { waitMs: idleWaitMs }
      if (!isOpen) {
        const opened = await openHistoricalPools(current, deps)
        if (history !== current) return again
        past = opened
        isOpen = true
      }
      const [next, last] = [current.completeAfter.block, current.firstBlock]
      const taken = await ranges.take({ direction: 'down', next, last })
      if (taken === null || history !== current) return again
      const { range, answer } = taken
      return answer.ok ? fill(current, range, answer.value) : onFault(answer.fault)
    },
  }
}
