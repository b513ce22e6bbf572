import type { Anchor } from '../../domain/chain/block-ref.ts'
import type { ChainLog } from '../../domain/chain/log.ts'
import {
  type SweepSize,
  sizeAfterSweep,
  sizeAfterSweepRefusal,
  sweepSizeFirst,
} from '../../domain/chain/sweep-size.ts'
import type { Keccak256 } from '../../domain/dex/identity.ts'
import type { Venues } from '../../domain/ingest/recognise.ts'
import { failure, type Outcome, success } from '../../domain/outcome.ts'
import type { TokenRoles } from '../../domain/pool/kind.ts'
import type { PoolNumber } from '../../domain/pool/pool-state.ts'
import type { Reading } from '../../domain/reading.ts'
import type { ReferenceBook } from '../../domain/stock/reference-book.ts'
import type { Address, BlockNumber, Hash } from '../../domain/units.ts'
import type { BlockRange, ChainReader, RangeRead, RpcFault } from '../../ports/chain.ts'
import type { Logger } from '../../ports/process.ts'
import type { Store } from '../../ports/store.ts'
import type { Backfill, History, HistoryBatch, IndexProgress } from '../../ports/store-rows.ts'
import type { StepResult } from '../../util/loop.ts'
import type { Feeds } from '../feeds.ts'
import type { IndexBook } from '../index-book.ts'
import { createReadAhead } from '../read-ahead.ts'
import type { SourceReport } from '../source-report.ts'
import { createOnFault } from './faults.ts'
import { groupFilter } from './filters.ts'
import { backfillOfHistory } from './history-progress.ts'
import { ingestPast, openPast, type Past, standingAt } from './past.ts'
import { createPriceSweep, type PriceSweep } from './past-prices.ts'
import { stepSweeps } from './sweep.ts'
import { createAloneNote, createTwoOrOne, type TwoOrOne } from './two-or-one.ts'

export type HistoryDeps = {
  readonly chain: ChainReader
  readonly store: Store
  readonly index: IndexBook
  readonly logger: Logger
  readonly report: SourceReport
  readonly venues: Venues
  readonly keccak256: Keccak256
  readonly roles: TokenRoles
  readonly references: ReferenceBook
  readonly feeds: Feeds
  readonly decimalsOf: (address: Address) => Reading<number>
  readonly historyDays: number
  /** A swap of the past contradicts the pool's map. */
  readonly onGap: (pool: PoolNumber) => void
  readonly onProgress: (progress: IndexProgress) => void
}

/** Fills in the swaps of the days before the index began, newest first (methodology §8). */
export type HistoryFiller = {
  /** Learns the prices of the past, before any swap is valued; null once that is done. */
  readonly prepare: () => Promise<StepResult | null>
  readonly step: () => Promise<StepResult>
  /** How far it is; null if there is nothing to fill in. */
  readonly backfill: () => Promise<Backfill | null>
  /** Whether it is under way, as far as it was looked at. */
  readonly isFilling: () => boolean
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
const witnessedRangesMax = 2000
const idleWaitMs = 1000
/** All of it is in; there is more to do only if the reading before it is dropped. */
export const historyDoneWaitMs = 5000
const again: StepResult = { waitMs: 0 }

const blocksMinOf = ({ top, floor }: History): number =>
  Math.min(witnessedBlocksMin, (top - floor + 1) / witnessedRangesMax)

const isUnfinished = ({ after, floor }: History): boolean => after.block >= floor

type Read = {
  readonly logs: readonly ChainLog[]
  /** The block before the range. */
  readonly after: Anchor
  /** The name of the range's last block; null if nobody had to be asked for logs. */
  readonly lastHash: Hash | null
}

type SizeAfterRefusal = (range: BlockRange, suggested: BlockNumber | null) => SweepSize

/** All logs of a range that the pools of that time emitted, in chain order and of one branch. */
const createRangeRead =
  (
    { chain, twoOrOne }: { readonly chain: ChainReader; readonly twoOrOne: TwoOrOne },
    { past, sizeAfter }: { readonly past: () => Past; readonly sizeAfter: SizeAfterRefusal },
  ) =>
  async (range: BlockRange): Promise<Outcome<Read, RpcFault>> => {
    const after = await chain.anchor(range.from - 1)
    if (!after.ok) return after
    const all: ChainLog[] = []
    let lastHash: Hash | null = null
    for (const group of past().groups) {
      if ((group.pools[0]?.createdBlock ?? 0) > range.to) continue
      const filter = groupFilter(group, group.dex.topics)
      const read = await twoOrOne<RangeRead>({
        two: () => chain.witnessedRange(range, filter),
        one: () => chain.readRange(range, filter),
        blocksNext: (suggested) => sizeAfter(range, suggested).blocks,
      })
      if (!read.ok) return read
      const { logs, parentHash, last } = read.value
      if (parentHash !== after.value.hash || (lastHash ?? last.hash) !== last.hash) {
        const detail = `the chain changed between ${range.from} and ${range.to} while it was read`
        return failure({ kind: 'behind', detail })
      }
      lastHash = last.hash
      for (const log of logs) all.push(log)
    }
    all.sort((a, b) => a.block - b.block || a.logIndex - b.logIndex)
    return success({ logs: all, after: after.value, lastHash })
  }

/** Ranges of the past, downwards, in a size that suits the nodes, and some of them ahead. */
const createRanges = (
  { chain, logger }: HistoryDeps,
  now: { readonly past: () => Past; readonly history: () => History | null },
) => {
  let size: SweepSize = sweepSizeFirst(rangeBlocksFirst)
  const sizeAfter: SizeAfterRefusal = ({ from, to }, suggested) =>
    sizeAfterSweepRefusal(size, to - from + 1, suggested)
  const blocksMin = (): number => {
    const history = now.history()
    return history === null ? 0 : blocksMinOf(history)
  }
  const twoOrOne = createTwoOrOne({ blocksMin, onAlone: createAloneNote(logger) })
  const read = createRangeRead({ chain, twoOrOne }, { past: now.past, sizeAfter })
  const ahead = createReadAhead(read, rangesMax)
  return {
    take: ({ after, floor }: History) =>
      ahead.take({ direction: 'down', next: after.block, last: floor }, size.blocks),
    drop: ahead.drop,
    answered: ({ from, to }: BlockRange, logs: number): void => {
      size = sizeAfterSweep(size, to - from + 1, logs)
    },
    refused: (range: BlockRange, suggested: BlockNumber | null): void => {
      size = sizeAfter(range, suggested)
    },
  }
}

/** The references alone: the past stays where it is. */
const pricesOnly = (current: History, { closes }: PriceSweep): HistoryBatch => ({
  before: current.after.block,
  after: current.after,
  backfill: backfillOfHistory(current),
  blocks: [],
  swaps: [],
  liquidity: [],
  candles: [],
  references: closes(),
  lastSwaps: [],
})

export const createHistory = (deps: HistoryDeps): HistoryFiller => {
  const { logger, store, index } = deps
  let history: History | null = null
  let isLoaded = false
  let past: Past = { pools: new Map(), groups: [], undrawn: [] }
  let isOpen = false
  let events = 0
  const onFault = createOnFault(deps)
  let prices: PriceSweep | null = null
  let isPriced = false
  const ranges = createRanges(deps, { past: () => past, history: () => history })

  const load = async (): Promise<History | null> => {
    if (!isLoaded && index.indexed() !== null) {
      const header = await store.snapshot((snapshot) => snapshot.header())
      history = header?.history ?? null
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

  const refused = async (fault: RpcFault, range: BlockRange): Promise<StepResult> => {
    ranges.drop()
    if (fault.kind !== 'range-too-large' || range.to === range.from) return onFault(fault)
    ranges.refused(range, fault.suggestedBlocks)
    return again
  }

  /** What is below is of another branch than what we have above; following finds out which left. */
  const left = ({ after }: History, now: Hash): Promise<StepResult> => {
    ranges.drop()
    const detail = `the block ${after.block} was ${after.hash}, and the chain says ${now}`
    return onFault({ kind: 'behind', detail })
  }

  const fill = async (current: History, range: BlockRange, read: Read): Promise<StepResult> => {
    const { lastHash } = read
    if (lastHash !== null && lastHash !== current.after.hash) return left(current, lastHash)
    const { batch, before, gaps } = ingestPast(past, read.logs, { range, ...deps })
    const { after } = read
    const next = { ...current, after }
    const backfill = backfillOfHistory(next)
    const isLast = after.block < current.floor
    // Each candle is an earlier half than what is kept: the earliest come last.
    const candles = isLast ? [...batch.candles, ...standingAt(before, after)] : batch.candles
    const outcome = await store
      .fillHistory({ ...batch, candles, before: range.to, after, backfill })
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
    for (const pool of gaps) deps.onGap(pool)
    ranges.answered(range, read.logs.length)
    events += read.logs.length
    deps.onProgress({ ...backfill, events })
    return again
  }

  return {
    backfill: async () => {
      const current = await load()
      return current === null ? null : backfillOfHistory(current)
    },
    isFilling: () => history !== null && isUnfinished(history),
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
      const fault = await stepSweeps([prices.sweep])
      if (fault !== null) return onFault(fault)
      if (!prices.sweep.isOver()) return again
      await store.fillHistory(pricesOnly(current, prices))
      isPriced = true
      return null
    },
    step: async () => {
      const current = await load()
      if (!isLoaded) return { waitMs: idleWaitMs }
      if (current === null) return { waitMs: null }
      if (!isUnfinished(current)) return { waitMs: historyDoneWaitMs }
      if (!isPriced) return { waitMs: idleWaitMs }
      if (!isOpen) {
        const opened = await openPast(current, deps)
        if (history !== current) return again
        past = opened
        isOpen = true
      }
      const taken = await ranges.take(current)
      if (taken === null || history !== current) return again
      return taken.answer.ok
        ? fill(current, taken.range, taken.answer.value)
        : refused(taken.answer.fault, taken.range)
    },
  }
}
