/** Where bytes are written: as many as asked for, and the caller's until it asks again. */
export type Allocate = (length: number) => Buffer

/** Bytes that stay as they are. */
export const allocateNew: Allocate = (length) => Buffer.allocUnsafe(length)

/** The same bytes again for every value of one length: a backfill would make millions of them. */
export const createReusedBuffers = (): Allocate => {
  const rooms: Buffer[] = []
  return (length) => {
    rooms[length] ??= Buffer.alloc(length)
    return rooms[length]
  }
}

/** Of `0x` and digits; null if these are not whole bytes, of which `write` says nothing. */
export const hexBytes = (text: string, room: Allocate): Buffer | null => {
  const length = Math.max(0, Math.trunc(text.length / 2) - 1)
  const bytes = room(length)
  const written = bytes.write(text.slice(2), 'hex')
  return written * 2 + 2 === text.length ? bytes : null
}

const wordBits = 64
const wordBytes = wordBits / 8

/** Two views of one piece of memory. */
type Words = { readonly view: DataView; readonly bytes: Uint8Array }

const createWords = (bytes: number): Words => {
  const memory = new ArrayBuffer(bytes)
  return { view: new DataView(memory), bytes: new Uint8Array(memory) }
}

/** A byte says no more than the sign, and the next one says that too. */
const isSpare = (byte: number, next: number): boolean =>
  (byte === 0 && next < 0x80) || (byte === 0xff && next >= 0x80)

/** By words, the lowest last, and not by digits: a third of the time, and no text is made. */
const bytesBy = (words: Words, value: bigint, room: Allocate): Buffer => {
  const { view, bytes } = words
  const last = bytes.length - 1
  let at = bytes.length - wordBytes
  let rest = value
  view.setBigUint64(at, BigInt.asUintN(wordBits, rest))
  while (BigInt.asIntN(wordBits, rest) !== rest) {
    if (at === 0) return bytesBy(createWords(bytes.length * 2), value, room)
    at -= wordBytes
    rest >>= 64n
    view.setBigUint64(at, BigInt.asUintN(wordBits, rest))
  }
  while (at < last && isSpare(bytes[at] as number, bytes[at + 1] as number)) at += 1
  const written = room(bytes.length - at)
  for (let to = 0; to < written.length; to += 1) written[to] = bytes[at + to] as number
  return written
}

/** Enough for all that a contract knows, and a sign. */
const usualWords = createWords(5 * wordBytes)

/** The smallest big-endian two's complement, at least one byte. */
export const bigintBytes = (value: bigint, room: Allocate): Buffer =>
  bytesBy(usualWords, value, room)
