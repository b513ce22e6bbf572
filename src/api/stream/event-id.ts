import type { StreamPosition } from '../../market/stream-position.ts'

/*
 * An id holds two positions: a sequence number, which only the run of the service knows that gave
 * it, and a position in the store, with which another run continues. Clients return it as it is.
 *
 *     1f0a77c2-57-2.hx3k.e.sk2a1w.hx40.9d81aa30.00c4f1b7
 *
 * Run and sequence, then, numbers in base 36: epoch; block, log index and time of the place; block
 * and end of the hash of the tip; listing.
 */

export const eventIdPattern = /^[0-9a-f]{8}-[0-9]{1,15}(?:-[0-9a-z]+(?:\.[0-9a-z]+){6})?$/

/** Of events from the store, which belong to no run. */
export const storeRun = '00000000'

export type EventId = {
  readonly run: string
  readonly sequence: number
  /** Null before the first block. */
  readonly position: StreamPosition | null
}

const digitsMax = 11

const toDigits = (value: number): string => value.toString(36)

const fromDigits = (digits: string | undefined): number | null => {
  if (digits === undefined || digits.length > digitsMax) return null
  const value = Number.parseInt(digits, 36)
  return Number.isSafeInteger(value) ? value : null
}

const toText = ({ epoch, place, tip, listing }: StreamPosition): string => {
  // The place before the first block is block -1.
  const numbers = [epoch, place.block + 1, place.logIndex + 1, place.ts, tip.block]
  return [...numbers.map(toDigits), tip.hashEnd, listing].join('.')
}

const logIndexMax = 2 ** 31 - 1

const parsePosition = (text: string): StreamPosition | null => {
  const parts = text.split('.')
  const [epoch = null, block = null, logIndex = null, ts = null, tip = null] = parts
    .slice(0, 5)
    .map(fromDigits)
  const [hashEnd = '', listing = ''] = parts.slice(5)
  if (epoch === null || block === null || logIndex === null || ts === null || tip === null) {
    return null
  }
  const place = { block: block - 1, logIndex: Math.min(logIndex - 1, logIndexMax), ts }
  return { epoch, place, tip: { block: tip, hashEnd }, listing }
}

export const formatEventId = ({ run, sequence, position }: EventId): string =>
  position === null ? `${run}-${sequence}` : `${run}-${sequence}-${toText(position)}`

/** Null for what is no id. An id of an earlier version has no position. */
export const parseEventId = (text: string): EventId | null => {
  if (!eventIdPattern.test(text)) return null
  const [run = '', sequence = '', position] = text.split('-')
  return {
    run,
    sequence: Number(sequence),
    position: position === undefined ? null : parsePosition(position),
  }
}
