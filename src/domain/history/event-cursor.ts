import type { BlockRef } from '../chain/block-ref.ts'
import type { EventPlace, EventPosition } from '../pool/pool-event.ts'
import type { Hex } from '../units.ts'

type Event = Pick<EventPosition, 'block' | 'logIndex' | 'ts' | 'txHash'>

/** Where a list of events continues, and which event it expects there. */
export type EventCursor = EventPlace & {
  readonly txPrefix: Hex
  /** Of the event's block: its transaction may be in the same place of another one. Null: final. */
  readonly hashPrefix: Hex | null
}

/** `0x` and eight bytes: enough to notice another transaction or block. */
const prefixLength = 2 + 16

const prefixOf = (hash: Hex): Hex => hash.slice(0, prefixLength) as Hex

/** `stored`: the event's block, if it is kept. */
export const toEventCursor = (
  { block, logIndex, ts, txHash }: Event,
  stored: Pick<BlockRef, 'hash'> | null,
): EventCursor => ({
  ...{ block, logIndex, ts, txPrefix: prefixOf(txHash) },
  hashPrefix: stored === null ? null : prefixOf(stored.hash),
})

/** Whether this is the event of a cursor, in the block that it was in. */
export const isAtCursor = (
  event: Event,
  stored: Pick<BlockRef, 'hash'> | null,
  { block, logIndex, txPrefix, hashPrefix }: EventCursor,
): boolean => {
  const isSameBlock = hashPrefix === null || stored === null || prefixOf(stored.hash) === hashPrefix
  const isSamePlace = event.block === block && event.logIndex === logIndex
  return isSamePlace && prefixOf(event.txHash) === txPrefix && isSameBlock
}
