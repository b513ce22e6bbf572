import { type BlockRef, conflicts } from '../../domain/chain/block-ref.ts'
import { eventDigest, eventLine, type TextHash } from '../../domain/chain/event-digest.ts'
import type { ChainLog } from '../../domain/chain/log.ts'
import { createRangeSize, rangeBlocksFirst } from '../../domain/chain/range-size.ts'
import { poolEventsFromRows } from '../../domain/ingest/pool-events.ts'
import { success } from '../../domain/outcome.ts'
import type { PoolEvent } from '../../domain/pool/pool-event.ts'
import { bucketStart } from '../../domain/series/series-range.ts'
import { secondsPerMinute } from '../../domain/time.ts'
import type { Address, BlockNumber, Hash, UnixSeconds } from '../../domain/units.ts'
import type { BlockRange, BlockRangeLogs, ChainReader, Heads } from '../../ports/chain-reader.ts'
import type { Logger } from '../../ports/runtime.ts'
import type { Store } from '../../ports/store.ts'
import type { IndexHeader } from '../../ports/store-batches.ts'
import type { ChainlinkFeeds, PriceObservation } from '../chainlink-history.ts'
import { isCanonical, readFinalizedBase } from '../reorg/common-ancestor.ts'
import type { BranchReplacer, HeadContext } from '../reorg/replace-branch.ts'
import type { IndexState } from '../state/index-state.ts'
import type { SyncFault } from '../sync-fault.ts'

export type FinalityCheckResult =
  /** No range is due. */
  | { readonly kind: 'idle' }
  /** A range was checked or its size reduced; another one may be due. */
  | { readonly kind: 'advanced' }
  /** The index is not on the branch of the finalized block. */
  | { readonly kind: 'reorged' }
  | { readonly kind: 'fault'; readonly fault: SyncFault }

export type FinalityChecker = {
  /**
   * Reads the next finalized range a second time, compares it with the index and repairs the
   * difference. The index must not advance during the call.
   */
  readonly checkNextRange: (context: HeadContext) => Promise<FinalityCheckResult>
}

type Deps = {
  readonly chain: ChainReader
  readonly store: Store
  readonly index: IndexState
  readonly branches: BranchReplacer
  readonly logger: Logger
  readonly sha256: TextHash
  readonly topics: readonly Hash[]
  readonly origin: BlockNumber
  readonly confirmations: number
  /** The prices in a log of a configured feed. */
  readonly decodePrices: ChainlinkFeeds['decodePrices']
  /** Older swaps may be pruned and are not compared. */
  readonly swapsKeptSinceTs: () => UnixSeconds
}

const idle: FinalityCheckResult = { kind: 'idle' }
const advanced: FinalityCheckResult = { kind: 'advanced' }
const reorged: FinalityCheckResult = { kind: 'reorged' }
const failed = (fault: SyncFault): FinalityCheckResult => ({ kind: 'fault', fault })

/** Number of lines that only one side has. */
const countDifferences = (onChain: readonly string[], stored: readonly string[]): number => {
  const [chainLines, storedLines] = [new Set(onChain), new Set(stored)]
  const missing = onChain.filter((line) => !storedLines.has(line))
  const surplus = stored.filter((line) => !chainLines.has(line))
  return missing.length + surplus.length
}

/** Counts feed answers in whose minute the store has no price, or only one of a pool. */
const createAnswerComparison = ({ store, decodePrices }: Deps) => {
  const readStoredMinutes = async (address: Address, points: readonly PriceObservation[]) => {
    const times = points.map(({ ts }) => bucketStart(ts, secondsPerMinute))
    const [fromTs, toTs] = [Math.min(...times), Math.max(...times)]
    const query = { address, width: secondsPerMinute, fromTs, toTs } as const
    const { rows } = await store.snapshot((snapshot) => snapshot.references(query))
    return new Set(rows.filter(({ source }) => source !== 'pools').map(({ ts }) => ts))
  }

  return async (logs: readonly ChainLog[], sinceTs: UnixSeconds): Promise<number> => {
    const answers = logs.map((log) => decodePrices(log).filter(({ ts }) => ts >= sinceTs))
    const stored = new Map<Address, ReadonlySet<UnixSeconds>>()
    for (const [address, points] of Map.groupBy(answers.flat(), (point) => point.address)) {
      stored.set(address, await readStoredMinutes(address, points))
    }
    const isMissing = ({ address, ts }: PriceObservation): boolean =>
      stored.get(address)?.has(bucketStart(ts, secondsPerMinute)) === false
    return answers.filter((points) => points.some(isMissing)).length
  }
}

const createComparison = (deps: Deps) => {
  const { store, index, swapsKeptSinceTs, sha256 } = deps
  const countMissingAnswers = createAnswerComparison(deps)

  const linesOf = (events: readonly PoolEvent[], sinceTs: UnixSeconds): readonly string[] =>
    events
      .filter(({ kind, at }) => kind !== 'initialized' && at.ts >= sinceTs)
      .map((event) => eventLine(event))

  /** Initializations have no rows: a missed one shows as a missing first candle. */
  const countMissingInitializations = async (
    events: readonly PoolEvent[],
    sinceTs: UnixSeconds,
  ) => {
    let missing = 0
    for (const { kind, poolId, at } of events) {
      const pool = index.pools().numberOf(poolId)
      if (kind !== 'initialized' || at.ts < sinceTs || pool === undefined) continue
      const ts = bucketStart(at.ts, secondsPerMinute)
      const bucket = { pool, width: secondsPerMinute, fromTs: ts, toTs: ts } as const
      const { rows } = await store.snapshot((snapshot) => snapshot.candles(bucket))
      if (rows.length === 0) missing += 1
    }
    return missing
  }

  /** Number of events and prices of the range that differ between chain and store. */
  return async (range: BlockRange, logs: readonly ChainLog[]): Promise<number> => {
    const sinceTs = swapsKeptSinceTs()
    const rows = await store.readEvents(range)
    const events = index.decodeEvents(logs)
    const onChain = linesOf(events, sinceTs)
    const stored = linesOf(poolEventsFromRows(rows, index.pools().idOf), sinceTs)
    const isEqual = eventDigest(onChain, sha256) === eventDigest(stored, sha256)
    const differences = isEqual ? 0 : countDifferences(onChain, stored)
    const missing = await countMissingInitializations(events, sinceTs)
    return differences + missing + (await countMissingAnswers(logs, sinceTs))
  }
}

/** Replaces the branch above the finalized cursor. */
const createRepair = (deps: Deps) => {
  const { index, branches, logger, confirmations } = deps
  return async (
    differences: number,
    { header, range }: { readonly header: IndexHeader; readonly range: BlockRange },
    { heads, progressAt }: HeadContext,
  ): Promise<FinalityCheckResult> => {
    const fields = { from: range.from, to: range.to, differences }
    logger.warn('Finality check found a mismatch, repairing the range', fields)
    const base = await readFinalizedBase(deps, header)
    if (!base.ok) return failed(base.fault)
    const isFromOrigin = header.finalizedCursor === null && header.backfillCursor === null
    const outcome = await branches.replace({
      ancestor: isFromOrigin ? null : base.value,
      epoch: header.epoch,
      lastBlock: Math.max(index.cursor()?.block ?? range.to, heads.latest.block - confirmations),
      head: heads.latest,
      progressAt,
      repairs: differences,
    })
    // Compared again after a poll: an endpoint that contradicts itself must not cause a busy loop.
    return outcome.ok ? idle : failed(outcome.fault)
  }
}

/** The hash of the last block below the unchecked ones, if it is stored. */
const readParentHash = async (store: Store, header: IndexHeader): Promise<Hash | null> => {
  const { finalizedCursor, backfillCursor } = header
  if (finalizedCursor !== null) return finalizedCursor.hash
  if (backfillCursor === null) return null
  const stored = await store.readBlockAtOrBelow(backfillCursor.startedAt)
  return stored?.block === backfillCursor.startedAt ? stored.hash : null
}

/** A range to check; `stored` is its last block if the range has a stored block at all. */
type DueRange = { readonly range: BlockRange; readonly stored: BlockRef | null }

/** Finds the next range that is finalized and indexed. */
const findDueRange = async (
  { store, index, origin }: Deps,
  { finalizedCursor, backfillCursor }: IndexHeader,
  finalized: BlockRef | null,
  blocksMax: number,
): Promise<DueRange | null> => {
  const cursor = index.cursor()
  if (finalized === null || cursor === null) return null
  // Bootstrap scans do not link blocks: checks begin above them.
  const first = backfillCursor === null ? origin : backfillCursor.startedAt + 1
  const from = finalizedCursor === null ? first : finalizedCursor.block + 1
  const to = Math.min(finalized.block, cursor.block, from + blocksMax - 1)
  if (to < from) return null
  // Ending at a stored block compares its hash, which proves that the indexed branch is finalized.
  const below = await store.readBlockAtOrBelow(to)
  const stored = below !== null && below.block >= from ? below : null
  return { range: { from, to: stored?.block ?? to }, stored }
}

/** Why a range does not link the finalized cursor and the finalized block; null if it does. */
const findBranchFault = async (
  deps: Deps,
  { parentHash, last }: BlockRangeLogs,
  header: IndexHeader,
  { finalized }: Heads,
): Promise<SyncFault | null> => {
  const expectedParent = await readParentHash(deps.store, header)
  const isLinked = expectedParent === null || expectedParent === parentHash
  if (!conflicts(finalized, last) && isLinked) return null
  const base = await readFinalizedBase(deps, header)
  const detail = `finalized block ${last.block} reported by the endpoint is on another branch`
  return base.ok ? { kind: 'behind', detail } : base.fault
}

export const createFinalityChecker = (deps: Deps): FinalityChecker => {
  const { chain, store, index, topics } = deps
  const compare = createComparison(deps)
  const repair = createRepair(deps)
  const size = createRangeSize(rangeBlocksFirst)

  const checkRange = async (
    header: IndexHeader,
    { range, stored }: DueRange,
    context: HeadContext,
  ): Promise<FinalityCheckResult> => {
    const read = await chain.readRangeCrossChecked(range, { topics: [topics] })
    const blocks = range.to - range.from + 1
    if (!read.ok) {
      if (read.fault.kind !== 'range-too-large' || blocks === 1) return failed(read.fault)
      size.recordRejection(blocks, read.fault.suggestedBlocks)
      return advanced
    }
    const { logs, last, endpointsAgreed } = read.value
    size.recordResponse(blocks, logs.length)
    const fault = await findBranchFault(deps, read.value, header, context.heads)
    if (fault !== null) return failed(fault)
    if (conflicts(stored, last)) return reorged
    const differences = await compare(range, logs)
    if (differences > 0) return repair(differences, { header, range }, context)
    // Without a stored block in the range, the cursor shows whether the index is on this branch.
    const cursor = index.cursor()
    const isUnproven = stored === null && cursor !== null
    const canonical = isUnproven ? await isCanonical(chain, cursor) : success(true)
    if (!canonical.ok) return failed(canonical.fault)
    if (!canonical.value) return reorged
    const outcome = await store.advanceFinalized({
      expectedCursor: header.finalizedCursor?.block ?? null,
      to: last,
      crossChecked: endpointsAgreed > 1,
    })
    return outcome === 'committed' ? advanced : idle
  }

  return {
    checkNextRange: async (context) => {
      const header = await store.snapshot((snapshot) => snapshot.header())
      if (header === null) return idle
      const due = await findDueRange(deps, header, context.heads.finalized, size.blocks())
      return due === null ? idle : checkRange(header, due, context)
    },
  }
}
