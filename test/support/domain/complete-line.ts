import { eventLine } from '../../../src/domain/chain/event-digest.ts'
import type { PoolEvent } from '../../../src/domain/pool/pool-event.ts'

/** A digest's line, and what a digest leaves out because earlier rows lack it. */
export const completeLine = (event: PoolEvent): string => {
  if (event.kind === 'created') return eventLine(event)
  const position = event.kind === 'liquidity-changed' ? [event.owner, event.sender, event.salt] : []
  return [eventLine(event), event.at.txIndex, ...position].join('|')
}
