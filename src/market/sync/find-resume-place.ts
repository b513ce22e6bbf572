import { blocksKeptSinceTs } from '../../domain/chain/kept-blocks.ts'
import type { EventPlace } from '../../domain/pool/pool-event.ts'
import { bucketStart } from '../../domain/series/series-range.ts'
import { secondsPerDay } from '../../domain/time.ts'
import type { StoreSnapshot } from '../../ports/store.ts'
import type { IndexHeader, ReplacementRecord } from '../../ports/store-batches.ts'
import { comparePlaces, endOfBlock, endOfHash, type StreamPosition } from '../stream-position.ts'

type Ancestor = ReplacementRecord['ancestor']

/** Where a subscriber continues. */
export type ResumePlace = {
  readonly place: EventPlace
  /** What it received above this block is no longer valid (null: nothing is to be undone). */
  readonly rollback: { readonly ancestor: Ancestor } | null
}

/** One that was away for longer asks for lists of swaps instead. */
const secondsAwayMax = 2 * secondsPerDay

/** Below every block. */
const beginning: EventPlace = { block: -1, ts: 0, logIndex: -1 }

const lowestOf = (records: readonly ReplacementRecord[]): Ancestor =>
  records
    .map(({ ancestor }) => ancestor)
    .reduce((a, b) => (a === null || b === null ? null : a.block < b.block ? a : b))

/** Whether the branch of the position is the stored one, as far as blocks are kept. */
const isStoredBranch = async (
  snapshot: StoreSnapshot,
  { finalizedCursor }: IndexHeader,
  { place, tip }: StreamPosition,
): Promise<boolean> => {
  const block = await snapshot.block(tip.block)
  if (block !== null) return endOfHash(block.hash) === tip.hashEnd
  return place.ts < blocksKeptSinceTs(finalizedCursor)
}

/** Pruning deletes complete days. */
const isKept = async (snapshot: StoreSnapshot, place: EventPlace): Promise<boolean> => {
  if (place.block < 0) return true
  const all = { pool: null, after: null, fromTs: null, toTs: null } as const
  const [first] = await snapshot.swapPage({ ...all, order: 'asc', rowsMax: 1 })
  return first === undefined || bucketStart(first.ts, secondsPerDay) <= place.ts
}

/**
 * Null if the store does not know what followed the position: it is another store, or one that was
 * put back; swaps came late; too many branches were replaced since; or swaps were pruned.
 */
export const findResumePlace = async (
  snapshot: StoreSnapshot,
  header: IndexHeader,
  from: StreamPosition,
): Promise<ResumePlace | null> => {
  const { cursor, epoch, backfillCursor } = header
  const isAway = cursor === null || cursor.ts - from.place.ts > secondsAwayMax
  if (isAway || from.place.block < (backfillCursor?.completeAfter.block ?? -1)) return null
  const replacements = epoch === from.epoch ? [] : await snapshot.replacementsAfter(from.epoch)
  if (replacements.length !== epoch - from.epoch) return null
  const ancestor = replacements.length === 0 ? null : lowestOf(replacements)
  const isCut = replacements.length > 0 && (ancestor?.block ?? -1) < from.tip.block
  if (!isCut && !(await isStoredBranch(snapshot, header, from))) return null
  const kept = ancestor === null ? beginning : endOfBlock(ancestor)
  const isAbove = isCut && comparePlaces(kept, from.place) < 0
  const place = isAbove ? kept : from.place
  return (await isKept(snapshot, place)) ? { place, rollback: isCut ? { ancestor } : null } : null
}
