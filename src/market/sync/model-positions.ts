import type { EventPlace } from '../../domain/pool/pool-event.ts'
import type { ReadModel } from '../model/read-model.ts'
import { endOfBlock, endOfHash, type StreamPosition } from '../stream-position.ts'

type Positioned = Pick<ReadModel, 'header' | 'stocks'>

/** Eight hex digits, the same for the same verified stocks. */
const listingOf = (stocks: ReadModel['stocks']): string => {
  let sum = 0
  for (const { address, verdict } of stocks.values()) {
    if (verdict === 'verified') sum = (sum + Number.parseInt(address.slice(-8), 16)) >>> 0
  }
  return sum.toString(16).padStart(8, '0')
}

/** The position of a place in the state that the model is of; null before the first block. */
export const positionsIn = ({ header, stocks }: Positioned) => {
  const { epoch, cursor } = header
  const listing = listingOf(stocks)
  return (place: EventPlace): StreamPosition | null => {
    if (cursor === null) return null
    const tip = { block: cursor.block, hashEnd: endOfHash(cursor.hash) }
    return { epoch, place, tip, listing }
  }
}

/** The position of all that the model holds. */
export const positionOf = (model: Positioned): StreamPosition | null => {
  const { cursor } = model.header
  return cursor === null ? null : positionsIn(model)(endOfBlock(cursor))
}
