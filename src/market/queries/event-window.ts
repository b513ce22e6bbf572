import { type EventCursor, isAtCursor, toEventCursor } from '../../domain/history/event-cursor.ts'
import { failure, type Outcome, success } from '../../domain/outcome.ts'
import type { EventPlace, EventPosition } from '../../domain/pool/pool-event.ts'
import type { IndexGap } from '../../domain/series/fill-buckets.ts'
import type { UnixSeconds } from '../../domain/units.ts'
import type { StoreSnapshot } from '../../ports/store.ts'
import type { EventFault, HistoryQuery } from '../history.ts'

type Event = Pick<EventPosition, 'block' | 'logIndex' | 'ts' | 'txHash'>

type EventReads = Pick<StoreSnapshot, 'block'> & {
  /** Reads the first event behind a place in chain order. */
  readonly next: (place: EventPlace) => Promise<Event | undefined>
}

type Kept = {
  /** Events before this time were deleted. */
  readonly keptSince: UnixSeconds
  readonly gaps: readonly IndexGap[]
  /** Creation of the first pool of the list. */
  readonly createdTs: UnixSeconds
  readonly asOfTs: UnixSeconds
}

/** Where a page begins, and whether everything that the list asks for is there. */
export type EventWindow = { readonly after: EventPlace | null; readonly complete: boolean }

const isComplete = (
  { fromTs, toTs }: Pick<HistoryQuery<EventCursor>, 'fromTs' | 'toTs'>,
  { keptSince, gaps, createdTs, asOfTs }: Kept,
): boolean => {
  const first = Math.max(fromTs ?? 0, createdTs)
  const last = Math.min(toTs ?? asOfTs, asOfTs)
  return first > last || (first >= keptSince && gaps.every(({ toTs: end }) => first >= end))
}

/**
 * Finds the event of the cursor. Fails if it was replaced, or if what the page asks for was
 * deleted.
 */
export const findEventWindow = async (
  query: Pick<HistoryQuery<EventCursor>, 'cursor' | 'fromTs' | 'toTs'>,
  kept: Kept,
  reads: EventReads,
): Promise<Outcome<EventWindow, EventFault>> => {
  const { cursor, toTs } = query
  const { keptSince } = kept
  if ((cursor?.ts ?? keptSince) < keptSince || (toTs ?? keptSince) < keptSince) {
    return failure({ kind: 'history-pruned', keptSince })
  }
  const complete = isComplete(query, kept)
  if (cursor === null) return success({ after: null, complete })
  // Without the time: in another block the same transaction may have another one.
  const event = await reads.next({ ...cursor, logIndex: cursor.logIndex - 1 })
  const stored = await reads.block(cursor.block)
  if (event === undefined || !isAtCursor(event, stored, cursor)) {
    return failure({ kind: 'cursor-replaced' })
  }
  return success({ after: event, complete })
}

/** The cursor behind the last event of a page; null at the end of the list. */
export const toNextCursor = async (
  snapshot: Pick<StoreSnapshot, 'block'>,
  last: Event | null,
): Promise<EventCursor | null> =>
  last === null ? null : toEventCursor(last, await snapshot.block(last.block))
