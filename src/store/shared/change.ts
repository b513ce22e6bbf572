import { type Anchor, isSameBlock } from '../../domain/chain/block-ref.ts'
import type { UnixSeconds } from '../../domain/units.ts'
import type { Backfill, StoreHeader } from '../../ports/store-rows.ts'

/** What a piece of work did to the store: the fields of the header that it changed besides. */
export type Change = { readonly rows: number; readonly header?: Partial<StoreHeader> }

/** One revision more if anything changed; null: nothing is written. */
export const headerAfter = (stored: StoreHeader, { rows, header }: Change): StoreHeader | null =>
  rows === 0 && header === undefined
    ? null
    : { ...stored, ...header, revision: stored.revision + 1 }

const sameBackfill = (one: Backfill, other: Backfill): boolean =>
  one.phase === other.phase && one.done === other.done && one.total === other.total

export const backfillChange = (stored: StoreHeader, backfill: Backfill): Change =>
  sameBackfill(stored.backfill, backfill) ? { rows: 0 } : { rows: 0, header: { backfill } }

export const headChange = (stored: StoreHeader, head: Anchor): Change =>
  isSameBlock(stored.head, head) ? { rows: 0 } : { rows: 0, header: { head } }

/** A pass is news even when it found nothing: it says how fresh everything is. */
export const enrichmentChange = (stored: StoreHeader, ts: UnixSeconds, rows: number): Change =>
  rows === 0 && stored.enrichedTs === ts ? { rows } : { rows, header: { enrichedTs: ts } }
