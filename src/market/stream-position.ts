import type { BlockRef } from '../domain/chain/block-ref.ts'
import type { EventPlace } from '../domain/pool/pool-event.ts'
import type { BlockNumber, Hash } from '../domain/units.ts'

/** Up to where a subscriber has received the changes of a store. Outlives the process. */
export type StreamPosition = {
  readonly epoch: number
  /** All swaps up to this place are received. */
  readonly place: EventPlace
  /** A block of the branch, at or above the place: a store that holds it holds this branch. */
  readonly tip: { readonly block: BlockNumber; readonly hashEnd: string }
  /** Of the stocks that are listed: another one's pools come with past swaps without events. */
  readonly listing: string
}

/** As many digits of a hash as positions keep. */
const hashDigits = 8

export const endOfHash = (hash: Hash): string => hash.slice(-hashDigits)

/** Behind every event of a block; the greatest integer of a log index in the stores. */
export const lastLogIndex = 2 ** 31 - 1

export const endOfBlock = ({ block, ts }: Pick<BlockRef, 'block' | 'ts'>): EventPlace => ({
  block,
  ts,
  logIndex: lastLogIndex,
})

/** Negative if `a` lies before `b`. */
export const comparePlaces = (
  a: Pick<EventPlace, 'block' | 'logIndex'>,
  b: Pick<EventPlace, 'block' | 'logIndex'>,
): number => a.block - b.block || a.logIndex - b.logIndex
