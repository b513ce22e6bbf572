import type { PoolId } from '../units.ts'
import type { PoolNumber } from './pool-state.ts'
import { countHexBytes, hexByteAt } from './record-bytes.ts'

/*
 * Numbers of pools by id, in an open hash table beside the records that hold the ids: some 8 bytes
 * for each pool. Who creates pools can choose their ids, so what scatters them is secret.
 *
 *     slot      0    1    2    3    4
 *     tags      -   7c   03    -   7c     eight bits of the hash, 0: free
 *     numbers   -   17    4    -   52     the record of 17 has the id
 */

/** The record of a pool begins with its id, as `RecordWriter.hex` writes it. */
type Records = {
  readonly chunkOf: (number: PoolNumber) => Uint8Array
  /** Where the record begins in the chunk. */
  readonly offsetIn: (number: PoolNumber) => number
}

export type PoolIds = {
  readonly numberOf: (id: PoolId) => PoolNumber | undefined
  /** Adds a pool whose id is not in the table and whose record exists. */
  readonly add: (id: PoolId, number: PoolNumber) => void
}

const byteValues = 256
const hashValues = 2 ** 32
const slotsMin = 64
const growth = 1.5
/** At 0.8 a search for an unknown id looks at 13 tags on average. */
const loadMax = 0.8
/** To choose that many bytes of a hash takes 2^64 attempts for each pool. */
const hashedBytes = 8

/** Tabulation hashing (Zobrist 1970): a random word for each byte's value, combined by XOR. */
const drawWords = (random: () => number): Uint32Array =>
  Uint32Array.from({ length: hashedBytes * byteValues }, () => Math.floor(random() * hashValues))

const tagOf = (hash: number): number => hash % byteValues || 1

/** `random` draws the secret: numbers from 0 to below 1. */
export const createPoolIds = (records: Records, random: () => number): PoolIds => {
  const words = drawWords(random)
  let slots = slotsMin
  let tags = new Uint8Array(slots)
  let numbers = new Uint32Array(slots)
  let size = 0

  const word = (place: number, byte: number): number => words[place * byteValues + byte] ?? 0

  const hashOf = (id: PoolId): number => {
    const first = Math.max(0, countHexBytes(id) - hashedBytes)
    let hash = 0
    for (let place = 0; place < hashedBytes; place++) {
      hash ^= word(place, hexByteAt(id, first + place))
    }
    return hash >>> 0
  }

  const hashOfRecord = (number: PoolNumber): number => {
    const [chunk, head] = [records.chunkOf(number), records.offsetIn(number)]
    const length = Math.ceil((chunk[head] ?? 0) / 2)
    const first = Math.max(0, length - hashedBytes)
    let hash = 0
    for (let place = 0; place < hashedBytes; place++) {
      const index = first + place
      hash ^= word(place, index < length ? (chunk[head + 1 + index] ?? 0) : 0)
    }
    return hash >>> 0
  }

  const isIdOf = (number: PoolNumber, id: PoolId): boolean => {
    const [chunk, head] = [records.chunkOf(number), records.offsetIn(number)]
    const length = countHexBytes(id)
    if (chunk[head] !== id.length - 2) return false
    for (let index = 0; index < length; index++) {
      if (chunk[head + 1 + index] !== hexByteAt(id, index)) return false
    }
    return true
  }

  const slotOf = (hash: number): number => Math.floor((hash / hashValues) * slots)
  const after = (slot: number): number => (slot + 1 === slots ? 0 : slot + 1)

  const insert = (hash: number, number: PoolNumber): void => {
    let slot = slotOf(hash)
    while (tags[slot] !== 0) slot = after(slot)
    tags[slot] = tagOf(hash)
    numbers[slot] = number
  }

  const grow = (): void => {
    const [oldTags, oldNumbers] = [tags, numbers]
    slots = Math.ceil(slots * growth)
    tags = new Uint8Array(slots)
    numbers = new Uint32Array(slots)
    for (const [slot, number] of oldNumbers.entries()) {
      if (oldTags[slot] !== 0) insert(hashOfRecord(number), number)
    }
  }

  return {
    numberOf: (id) => {
      const hash = hashOf(id)
      const tag = tagOf(hash)
      for (let slot = slotOf(hash); tags[slot] !== 0; slot = after(slot)) {
        const number = numbers[slot] ?? 0
        if (tags[slot] === tag && isIdOf(number, id)) return number
      }
      return undefined
    },
    add: (id, number) => {
      size += 1
      if (size > loadMax * slots) grow()
      insert(hashOf(id), number)
    },
  }
}
