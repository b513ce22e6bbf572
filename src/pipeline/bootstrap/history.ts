import type { Anchor, ChainLog } from '../../domain/chain/chain-log.ts'
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
import type { Address, Hash } from '../../domain/units.ts'
import type { BlockRange, ChainReader, RpcFault } from '../../ports/chain.ts'
import type { Logger } from '../../ports/process.ts'
import type { Store } from '../../ports/store.ts'
import type { Backfill, History, HistoryBatch, IndexProgress } from '../../ports/store-rows.ts'
import type { Feeds } from '../feeds.ts'
import type { IndexBook } from '../index-book.ts'
import type { StepResult } from '../loop.ts'
import { createReadAhead } from '../read-ahead.ts'
import type { SourceReport } from '../source-report.ts'
import { createOnFault } from './faults.ts'
import { groupFilter } from './filters.ts'
import { backfillOfHistory } from './history-progress.ts'
import { ingestPast, openPast, type Past, standingAt } from './past.ts'
import { createPriceSweep, type PriceSweep } from './past-prices.ts'
import { stepSweeps } from './sweep.ts'

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
}

/** Ranges under way at once. Each asks for its groups of pools one after the other. */
const rangesMax = 3
/** Some seconds of a busy chain, some minutes of a quiet one. */
const rangeBlocksFirst = 2000
const idleWaitMs = 1000
const again: StepResult = { waitMs: 0 }

const isUnfinished = ({ after, floor }: History): boolean => after.block >= floor

type Read = {
  readonly logs: readonly ChainLog[]
  /** The block before the range. */
  readonly after: Anchor
  /** The name of the range's last block; null if nobody had to be asked for logs. */
  readonly lastHash: Hash | null
}

/** All logs of a range that the pools of that time emitted, in chain order and of one branch. */
const createRangeRead =
  (chain: ChainReader, past: () => Past) =>
  async (range: BlockRange): Promise<Outcome<Read, RpcFault>> => {
    const after = await chain.anchor(range.from - 1)
    if (!after.ok) return after
    const all: ChainLog[] = []
    let lastHash: Hash | null = null
    for (const group of past().groups) {
      if ((group.pools[0]?.createdBlock ?? 0) > range.to) continue
      // What one node leaves out of the past another may tell; nobody looks at it again.
      const read = await chain.witnessedRange(range, groupFilter(group, group.dex.topics))
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
  const { chain, store, index } = deps
  let history: History | null = null
  let isLoaded = false
  let past: Past = { pools: new Map(), groups: [], undrawn: [] }
  let isOpen = false
  let size: SweepSize = sweepSizeFirst(rangeBlocksFirst)
  let events = 0
  const onFault = createOnFault(deps)
  let prices: PriceSweep | null = null
  let isPriced = false
  const ahead = createReadAhead(
    createRangeRead(chain, () => past),
    rangesMax,
  )

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
    ahead.drop()
  }

  const refused = async (fault: RpcFault, { from, to }: BlockRange): Promise<StepResult> => {
    ahead.drop()
    if (fault.kind !== 'range-too-large' || to === from) return onFault(fault)
    size = sizeAfterSweepRefusal(size, to - from + 1, fault.suggestedBlocks)
    return again
  }

  /** What is below belongs to another branch than what we have above. */
  const left = ({ after }: History, now: Hash): Promise<StepResult> => {
    ahead.drop()
    const detail = `the block ${after.block} was ${after.hash}, and the chain says ${now}`
    return onFault({ kind: 'finality-violated', detail })
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
      deps.logger.warn('Another writer filled in the past; it is taken up where it stands')
      reopen()
      return again
    }
    past = before
    history = next
    for (const pool of gaps) deps.onGap(pool)
    size = sizeAfterSweep(size, range.to - range.from + 1, read.logs.length)
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
      if (current === null || !isUnfinished(current)) return { waitMs: null }
      if (!isPriced) return { waitMs: idleWaitMs }
      if (!isOpen) {
        past = await openPast(current, deps)
        isOpen = true
      }
      const { after, floor } = current
      const course = { direction: 'down', next: after.block, last: floor } as const
      const taken = await ahead.take(course, size.blocks)
      if (taken === null) return { waitMs: null }
      return taken.answer.ok
        ? fill(current, taken.range, taken.answer.value)
        : refused(taken.answer.fault, taken.range)
    },
  }
}
