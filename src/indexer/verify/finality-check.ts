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
import type { ChainlinkFeeds, PriceObservation } from '../enrich/chainlink-history.ts'
import { isCanonical, readFinalizedBase } from '../realtime/common-ancestor.ts'
import type { BranchReplacer, HeadContext } from '../realtime/replace-branch.ts'
import type { IndexState } from '../state/index-state.ts'
import type { SyncFault } from '../sync-fault.ts'

/** What came of an attempt to settle. */
export type FinalityCheckResult =
  /** There is nothing more to settle for now. */
  | { readonly kind: 'nothing' }
  /** A step was taken, and there may be more. */
  | { readonly kind: 'some' }
  /** The index does not stand on what the chain calls final. */
  | { readonly kind: 'left' }
  | { readonly kind: 'fault'; readonly fault: SyncFault }

export type FinalityChecker = {
  /**
   * Reads one range that has become final a second time, compares and, if need be, repairs it. The
   * index must not advance meanwhile.
   */
  readonly checkNextRange: (occasion: HeadContext) => Promise<FinalityCheckResult>
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
  /** The prices that a log of one of our feeds tells. */
  readonly pointsOf: ChainlinkFeeds['decodePrices']
  /** Swaps before this time may have been pruned. */
  readonly keptSinceTs: () => UnixSeconds
}

const nothing: FinalityCheckResult = { kind: 'nothing' }
const some: FinalityCheckResult = { kind: 'some' }
const left: FinalityCheckResult = { kind: 'left' }

/** The lines of either side that the other lacks. */
const differencesOf = (told: readonly string[], held: readonly string[]): number => {
  const [toldLines, heldLines] = [new Set(told), new Set(held)]
  const missing = told.filter((line) => !heldLines.has(line))
  const surplus = held.filter((line) => !toldLines.has(line))
  return missing.length + surplus.length
}

/** Answers of feeds in whose minute nothing better than a pool's price is kept. */
const createMissedAnswers = ({ store, pointsOf }: Deps) => {
  const keptMinutes = async (address: Address, points: readonly PriceObservation[]) => {
    const times = points.map(({ ts }) => bucketStart(ts, secondsPerMinute))
    const [fromTs, toTs] = [Math.min(...times), Math.max(...times)]
    const query = { address, width: secondsPerMinute, fromTs, toTs } as const
    const { rows } = await store.snapshot((snapshot) => snapshot.references(query))
    return new Set(rows.filter(({ source }) => source !== 'pools').map(({ ts }) => ts))
  }

  return async (logs: readonly ChainLog[], sinceTs: UnixSeconds): Promise<number> => {
    const answers = logs.map((log) => pointsOf(log).filter(({ ts }) => ts >= sinceTs))
    const kept = new Map<Address, ReadonlySet<UnixSeconds>>()
    for (const [address, points] of Map.groupBy(answers.flat(), (point) => point.address)) {
      kept.set(address, await keptMinutes(address, points))
    }
    const isMissed = ({ address, ts }: PriceObservation): boolean =>
      kept.get(address)?.has(bucketStart(ts, secondsPerMinute)) === false
    return answers.filter((points) => points.some(isMissed)).length
  }
}

const createComparison = (deps: Deps) => {
  const { store, index, keptSinceTs, sha256 } = deps
  const missedAnswers = createMissedAnswers(deps)

  const linesOf = (events: readonly PoolEvent[], sinceTs: UnixSeconds): readonly string[] =>
    events
      .filter(({ kind, at }) => kind !== 'initialized' && at.ts >= sinceTs)
      .map((event) => eventLine(event))

  /** Initialisations have no rows: one that was missed shows in a bucket that never opened. */
  const missedPrices = async (told: readonly PoolEvent[], sinceTs: UnixSeconds) => {
    let missed = 0
    for (const { kind, poolId, at } of told) {
      const pool = index.pools().numberOf(poolId)
      if (kind !== 'initialized' || at.ts < sinceTs || pool === undefined) continue
      const ts = bucketStart(at.ts, secondsPerMinute)
      const bucket = { pool, width: secondsPerMinute, fromTs: ts, toTs: ts } as const
      const { rows } = await store.snapshot((snapshot) => snapshot.candles(bucket))
      if (rows.length === 0) missed += 1
    }
    return missed
  }

  /** How many events and prices of the range are not what the chain says they are. */
  return async (range: BlockRange, logs: readonly ChainLog[]) => {
    const sinceTs = keptSinceTs()
    const rows = await store.readEvents(range)
    const heldEvents = poolEventsFromRows(rows, index.pools().idOf)
    const toldEvents = index.eventsOf(logs)
    const [told, held] = [linesOf(toldEvents, sinceTs), linesOf(heldEvents, sinceTs)]
    const isEqual = eventDigest(told, sha256) === eventDigest(held, sha256)
    const missed = await missedPrices(toldEvents, sinceTs)
    const differences = isEqual ? 0 : differencesOf(told, held)
    return differences + missed + (await missedAnswers(logs, sinceTs))
  }
}

/** Puts what the chain says in the place of what we hold, from the settled block on. */
const createRepair = (deps: Deps) => {
  const { index, branches, logger, confirmations } = deps
  return async (
    differences: number,
    { header, range }: { readonly header: IndexHeader; readonly range: BlockRange },
    { heads, backfillAt }: HeadContext,
  ): Promise<FinalityCheckResult> => {
    const fields = { from: range.from, to: range.to, differences }
    logger.warn('A final range differs from what was read before; it is repaired', fields)
    const base = await readFinalizedBase(deps, header)
    if (!base.ok) return { kind: 'fault', fault: base.fault }
    const isFromOrigin = header.finalizedCursor === null && header.backfillCursor === null
    const outcome = await branches.replace({
      ancestor: isFromOrigin ? null : base.value,
      epoch: header.epoch,
      to: Math.max(index.cursor()?.block ?? range.to, heads.latest.block - confirmations),
      head: heads.latest,
      backfillAt,
      repairs: differences,
    })
    // It is compared again, but not at once: a node that contradicts itself must not be pressed.
    return outcome.ok ? nothing : { kind: 'fault', fault: outcome.fault }
  }
}

/** The hash of the block below the first that is not settled, where it is known. */
const hashBelow = async (store: Store, header: IndexHeader): Promise<Hash | null> => {
  const { finalizedCursor, backfillCursor } = header
  if (finalizedCursor !== null) return finalizedCursor.hash
  const kept =
    backfillCursor === null ? null : await store.readBlockAtOrBelow(backfillCursor.startedAt)
  return kept !== null && kept.block === backfillCursor?.startedAt ? kept.hash : null
}

/** A range to settle, and our own block at its end, if we know one of the range at all. */
type Due = { readonly range: BlockRange; readonly held: BlockRef | null }

const createDue = ({ store, index, origin }: Deps) => {
  /** The next range that is final and indexed, if there is one. */
  return async (
    { finalizedCursor, backfillCursor }: IndexHeader,
    { finalized }: Heads,
    blocksMax: number,
  ): Promise<Due | null> => {
    const indexed = index.cursor()
    if (finalized === null || indexed === null) return null
    // What a first reading found was never followed: it ends where settling begins.
    const first = backfillCursor === null ? origin : backfillCursor.startedAt + 1
    const from = finalizedCursor === null ? first : finalizedCursor.block + 1
    const to = Math.min(finalized.block, indexed.block, from + blocksMax - 1)
    if (to < from) return null
    // To end where our own hash is known proves that our branch is the one that is final.
    const kept = await store.readBlockAtOrBelow(to)
    const held = kept !== null && kept.block >= from ? kept : null
    return { range: { from, to: held?.block ?? to }, held }
  }
}

/** Why a range can not be what lies between the settled and the final block; null if it can. */
const createDoubt =
  (deps: Deps) =>
  async (
    { parentHash, last }: BlockRangeLogs,
    header: IndexHeader,
    { finalized }: Heads,
  ): Promise<SyncFault | null> => {
    const below = await hashBelow(deps.store, header)
    if (!conflicts(finalized, last) && (below === null || below === parentHash)) return null
    const base = await readFinalizedBase(deps, header)
    const detail = `what was told of the final block ${last.block} belongs to another branch`
    return base.ok ? { kind: 'behind', detail } : base.fault
  }

export const createFinalityChecker = (deps: Deps): FinalityChecker => {
  const { chain, store, index, topics } = deps
  const dueOf = createDue(deps)
  const doubt = createDoubt(deps)
  const compare = createComparison(deps)
  const repair = createRepair(deps)
  const size = createRangeSize(rangeBlocksFirst)

  const failed = (fault: SyncFault): FinalityCheckResult => ({ kind: 'fault', fault })

  const settleRange = async (header: IndexHeader, { range, held }: Due, occasion: HeadContext) => {
    const read = await chain.readRangeCrossChecked(range, { topics: [topics] })
    const blocks = range.to - range.from + 1
    if (!read.ok) {
      if (read.fault.kind !== 'range-too-large' || blocks === 1) return failed(read.fault)
      size.recordRejection(blocks, read.fault.suggestedBlocks)
      return some
    }
    const { logs, last, endpointsAgreed } = read.value
    size.recordResponse(blocks, logs.length)
    const fault = await doubt(read.value, header, occasion.heads)
    if (fault !== null) return failed(fault)
    if (conflicts(held, last)) return left
    const differences = await compare(range, logs)
    if (differences > 0) return repair(differences, { header, range }, occasion)
    const indexed = index.cursor()
    // Of a range without a block that we know: whether the index stands on the chain above it.
    const isAsked = held === null && indexed !== null
    const standing = isAsked ? await isCanonical(chain, indexed) : success(true)
    if (!standing.ok) return failed(standing.fault)
    if (!standing.value) return left
    const before = header.finalizedCursor?.block ?? null
    const outcome = await store.advanceFinalized({
      expectedCursor: before,
      to: last,
      crossChecked: endpointsAgreed > 1,
    })
    return outcome === 'committed' ? some : nothing
  }

  return {
    checkNextRange: async (occasion) => {
      const header = await store.snapshot((snapshot) => snapshot.header())
      const due = header === null ? null : await dueOf(header, occasion.heads, size.blocks())
      return header === null || due === null ? nothing : settleRange(header, due, occasion)
    },
  }
}
