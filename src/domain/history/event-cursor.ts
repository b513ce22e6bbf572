import type { EventPlace, EventPosition } from '../pool/pool-event.ts'
import type { Hex } from '../units.ts'

type Event = Pick<EventPosition, 'block' | 'logIndex' | 'ts' | 'txHash'>

/** Where a list of events continues, and which event it expects there. */
export type EventCursor = EventPlace & { readonly txPrefix: Hex }

/** `0x` and eight bytes: enough to notice another transaction. */
const prefixLength = 2 + 16

const prefixOf = ({ txHash }: Event): Hex => txHash.slice(0, prefixLength) as Hex

export const toEventCursor = (event: Event): EventCursor => {
  const { block, logIndex, ts } = event
  return { block, logIndex, ts, txPrefix: prefixOf(event) }
}

export const isAtCursor = (event: Event, { block, logIndex, txPrefix }: EventCursor): boolean =>
  event.block === block && event.logIndex === logIndex && prefixOf(event) === txPrefix
