import type { Anchor, ChainLog } from '../domain/chain/chain-log.ts'
import { digestOfLines, lineOfEvent, type TextHash } from '../domain/chain/digest.ts'
import { createRangeSize, rangeBlocksFirst } from '../domain/chain/range-size.ts'
import { eventsOfRows } from '../domain/ingest/ledger.ts'
import type { PoolEvent } from '../domain/pool/pool-event.ts'
import { bucketStart } from '../domain/series/ranges.ts'
import type { BlockNumber, Hash, UnixSeconds } from '../domain/units.ts'
import type { BlockRange, ChainReader, Heads } from '../ports/chain.ts'
import type { Logger } from '../ports/process.ts'
import type { Store } from '../ports/store.ts'
import type { Backfill, StoreHeader } from '../ports/store-rows.ts'
import type { Branches } from './branch.ts'
import type { ChainFault } from './chain-fault.ts'
import { readBase } from './fork-point.ts'
import type { IndexBook } from './index-book.ts'

export type Settler = {
  /**
   * Reads one range that has become final a second time, compares and, if need be, repairs it.
   * Answers what kept it from doing so. The index must not advance meanwhile.
   */
  readonly settle: (
    heads: Heads,
    backfillAt: (to: BlockNumber) => Backfill,
  ) => Promise<ChainFault | null>
}

type Deps = {
  readonly chain: ChainReader
  readonly store: Store
  readonly index: IndexBook
  readonly branches: Branches
  readonly logger: Logger
  readonly sha256: TextHash
  readonly topics: readonly Hash[]
  readonly origin: BlockNumber
  readonly confirmations: number
  readonly eventsOf: (logs: readonly ChainLog[]) => readonly PoolEvent[]
  /** Swaps before this time may have been pruned. */
  readonly keptSinceTs: () => UnixSeconds
}

const minuteSeconds = 60

type Occasion = {
  readonly heads: Heads
  readonly backfillAt: (to: BlockNumber) => Backfill
  readonly range: BlockRange
}

const isLeft = (indexed: Anchor | null, now: Anchor): boolean =>
  indexed?.block === now.block && indexed.hash !== now.hash

/** The lines of either side that the other lacks. */
const differencesOf = (told: readonly string[], held: readonly string[]): number => {
  const [toldLines, heldLines] = [new Set(told), new Set(held)]
  const missing = told.filter((line) => !heldLines.has(line))
  const surplus = held.filter((line) => !toldLines.has(line))
  return missing.length + surplus.length
}

const createComparison = ({ store, index, eventsOf, keptSinceTs, sha256 }: Deps) => {
  const linesOf = (events: readonly PoolEvent[], sinceTs: UnixSeconds): readonly string[] =>
    events
      .filter(({ kind, at }) => kind !== 'initialized' && at.ts >= sinceTs)
      .map((event) => lineOfEvent(event))

  /** Initialisations have no rows: one that was missed shows in a bucket that never opened. */
  const missedPrices = async (told: readonly PoolEvent[], sinceTs: UnixSeconds) => {
    let missed = 0
    for (const { kind, poolId, at } of told) {
      const pool = index.pools().byId(poolId)?.identity.number
      if (kind !== 'initialized' || at.ts < sinceTs || pool === undefined) continue
      const ts = bucketStart(at.ts, minuteSeconds)
      const bucket = { pool, width: minuteSeconds, fromTs: ts, toTs: ts } as const
      const { rows } = await store.snapshot((snapshot) => snapshot.candles(bucket))
      if (rows.length === 0) missed += 1
    }
    return missed
  }

  /** How many events of the range are not what the chain says they are. */
  return async (range: BlockRange, logs: readonly ChainLog[]) => {
    const sinceTs = keptSinceTs()
    const rows = await store.readEvents(range)
    const heldEvents = eventsOfRows(rows, (number) => index.pools().byNumber(number)?.identity.id)
    const toldEvents = eventsOf(logs)
    const [told, held] = [linesOf(toldEvents, sinceTs), linesOf(heldEvents, sinceTs)]
    const isEqual = digestOfLines(told, sha256) === digestOfLines(held, sha256)
    return (isEqual ? 0 : differencesOf(told, held)) + (await missedPrices(toldEvents, sinceTs))
  }
}

export const createSettler = (deps: Deps): Settler => {
  const { chain, store, index, branches, logger, topics, origin, confirmations } = deps
  const compare = createComparison(deps)
  const size = createRangeSize(rangeBlocksFirst)

  /** The next range that is final and indexed, if there is one. */
  const nextRange = (
    { finalized }: Heads,
    { settled, history }: StoreHeader,
  ): BlockRange | null => {
    const indexed = index.indexed()
    if (finalized === null || indexed === null) return null
    // What a first reading found was never followed: it ends where settling begins.
    const first = history === null ? origin : history.top + 1
    const from = settled === null ? first : settled.block + 1
    const to = Math.min(finalized.block, indexed.block, from + size.blocks() - 1)
    return to < from ? null : { from, to }
  }

  const repair = async (
    differences: number,
    { epoch, ancestor }: { readonly epoch: number; readonly ancestor: Anchor | null },
    { heads, backfillAt, range }: Occasion,
  ): Promise<ChainFault | null> => {
    const indexed = index.indexed()?.block ?? range.to
    const fields = { from: range.from, to: range.to, differences }
    logger.warn('A final range differs from what was read before; it is repaired', fields)
    const outcome = await branches.replace({
      ancestor,
      epoch,
      to: Math.max(indexed, heads.latest.block - confirmations),
      head: heads.latest,
      backfillAt,
      repairs: differences,
    })
    return outcome.ok ? null : outcome.fault
  }

  const settleRange = async (header: StoreHeader, occasion: Occasion) => {
    const { range } = occasion
    const base = await readBase({ chain, store, origin }, header)
    if (!base.ok) return base.fault
    const to = await chain.anchor(range.to)
    if (!to.ok) return to.fault
    const read = await chain.witnessedRange(range, { topics: [topics] })
    const blocks = range.to - range.from + 1
    if (!read.ok) {
      if (read.fault.kind !== 'range-too-large' || blocks === 1) return read.fault
      size.refused(blocks, read.fault.suggestedBlocks)
      return null
    }
    size.answered(blocks, read.value.logs.length)
    const differences = await compare(range, read.value.logs)
    const { epoch, settled, history } = header
    const ancestor = settled ?? (history === null ? null : base.value)
    if (differences > 0) return repair(differences, { epoch, ancestor }, occasion)
    // The index stands on a block that the chain has left: following finds that out.
    if (isLeft(index.indexed(), to.value)) return null
    const before = header.settled?.block ?? null
    await store.settle({ before, to: to.value, verified: read.value.witnesses > 1 })
    return null
  }

  return {
    settle: async (heads, backfillAt) => {
      const header = await store.snapshot((snapshot) => snapshot.header())
      const range = header === null ? null : nextRange(heads, header)
      if (header === null || range === null) return null
      return settleRange(header, { heads, backfillAt, range })
    },
  }
}
