import type { Hex } from '../units.ts'

/** No real name is longer; the rest is ignored. */
const bytesMax = 1_024
const wordBytes = 32
const digitsPerByte = 2

const hexadecimal = /^0x(?:[0-9a-fA-F]{2})*$/

/** At most `bytesMax` bytes of return data, and how many there were; null if it is no bytes. */
const readBytes = (data: string): { readonly head: Uint8Array; readonly length: number } | null => {
  const headDigits = data.slice(0, 2 + bytesMax * digitsPerByte)
  if (!hexadecimal.test(headDigits)) return null
  const head = new Uint8Array((headDigits.length - 2) / digitsPerByte)
  for (let index = 0; index < head.length; index++) {
    const start = 2 + index * digitsPerByte
    head[index] = Number.parseInt(headDigits.slice(start, start + digitsPerByte), 16)
  }
  return { head, length: Math.floor((data.length - 2) / digitsPerByte) }
}

/** A word as a number; null where it is not there or larger than any honest offset or length. */
const smallNumberAt = (head: Uint8Array, offset: number): number | null => {
  if (offset + wordBytes > head.length) return null
  const word = head.subarray(offset, offset + wordBytes)
  const value = word.reduce((sum, byte) => sum * 256 + byte, 0)
  return Number.isSafeInteger(value) ? value : null
}

/** `bytes32` text ends at its first NUL (MKR, SAI and others of 2017 and before). */
const bytes32Text = (word: Uint8Array): Uint8Array => {
  const end = word.indexOf(0)
  return word.subarray(0, end < 0 ? word.length : end)
}

/** The bytes of an ABI `string`; null if offset or length point outside of the return data. */
const stringBytes = (head: Uint8Array, length: number): Uint8Array | null => {
  const offset = smallNumberAt(head, 0)
  const size = offset === null ? null : smallNumberAt(head, offset)
  if (offset === null || size === null) return null
  const start = offset + wordBytes
  return start + size > length ? null : head.subarray(start, start + size)
}

/** Drops what is no UTF-8 instead of failing: one bad byte must not hide a name. */
const utf8Text = (bytes: Uint8Array): string =>
  new TextDecoder('utf-8').decode(bytes).replaceAll('\uFFFD', '')

/**
 * The text that a `symbol()` or `name()` returned: an ABI `string`, or exactly one word of
 * `bytes32`. Raw, so to be cleaned before use (`cleanText`). Total: null for anything else, the
 * empty text if the contract says so.
 */
export const decodeText = (data: Hex): string | null => {
  const bytes = readBytes(data)
  if (bytes === null) return null
  const text =
    bytes.length === wordBytes ? bytes32Text(bytes.head) : stringBytes(bytes.head, bytes.length)
  return text === null ? null : utf8Text(text)
}
