import { failure, type Outcome, success } from '../domain/outcome.ts'
import type { Hex } from '../domain/units.ts'
import type { ContractCall } from '../ports/chain-reader.ts'

/*
 * Multicall3's aggregate3(Call3[]) (github.com/mds1/multicall3, src/Multicall3.sol). It takes
 * (address target, bool allowFailure, bytes callData)[] and returns
 * (bool success, bytes returnData)[]. By Solidity's "Contract ABI Specification" a list of tuples
 * with bytes is
 *
 *     0x20 | count | offset of each tuple, from here | tuple | tuple ..
 *     tuple: its words, the last one the offset of its bytes | length | bytes and zeros
 */

const selector = '82ad56cb'
const wordBytes = 32
const wordDigits = 2 * wordBytes

const wordOf = (value: number): string => value.toString(16).padStart(wordDigits, '0')

/** `allowFailure` is 1: each call may fail on its own. */
const encodeCall = ({ to, data }: ContractCall): string => {
  const digits = data.slice(2)
  const padded = digits.padEnd(Math.ceil(digits.length / wordDigits) * wordDigits, '0')
  const target = to.slice(2).padStart(wordDigits, '0')
  return [target, wordOf(1), wordOf(3 * wordBytes), wordOf(digits.length / 2), padded].join('')
}

export const encodeAggregate = (calls: readonly ContractCall[]): Hex => {
  const tuples = calls.map(encodeCall)
  const offsets: string[] = []
  let offset = calls.length * wordBytes
  for (const tuple of tuples) {
    offsets.push(wordOf(offset))
    offset += tuple.length / 2
  }
  const head = [wordOf(wordBytes), wordOf(calls.length)]
  return `0x${[selector, ...head, ...offsets, ...tuples].join('')}`
}

export type AggregateResult = { readonly success: boolean; readonly returnData: Hex }

/** The word at an offset as a number; null if it is missing or exceeds 32 bits. */
const numberAt = (bytes: Buffer, at: number): number | null => {
  const lowAt = at + wordBytes - 4
  if (at + wordBytes > bytes.length) return null
  for (let i = at; i < lowAt; i++) if (bytes[i] !== 0) return null
  return bytes.readUInt32BE(lowAt)
}

type DecodedResult = { readonly result: AggregateResult; readonly end: number }

const readResultAt = (bytes: Buffer, at: number): DecodedResult | null => {
  const successFlag = numberAt(bytes, at)
  const offset = numberAt(bytes, at + wordBytes)
  if (successFlag === null || successFlag > 1 || offset === null) return null
  const length = numberAt(bytes, at + offset)
  if (length === null) return null
  const from = at + offset + wordBytes
  const end = from + length
  if (end > bytes.length) return null
  return {
    result: { success: successFlag === 1, returnData: `0x${bytes.toString('hex', from, end)}` },
    end,
  }
}

/**
 * Decodes the return data of `encodeAggregate` with `count` calls. Results must follow each other,
 * else a node could make one large result be read hundreds of times.
 */
export const decodeAggregate = (
  data: Hex,
  count: number,
): Outcome<readonly AggregateResult[], 'malformed'> => {
  const bytes = Buffer.from(data.slice(2), 'hex')
  const listAt = numberAt(bytes, 0)
  if (listAt === null || numberAt(bytes, listAt) !== count) return failure('malformed')
  const offsetsAt = listAt + wordBytes
  const results: AggregateResult[] = []
  let end = offsetsAt + count * wordBytes
  for (let index = 0; index < count; index++) {
    const offset = numberAt(bytes, offsetsAt + index * wordBytes)
    const decoded =
      offset === null || offsetsAt + offset < end ? null : readResultAt(bytes, offsetsAt + offset)
    if (decoded === null) return failure('malformed')
    results.push(decoded.result)
    end = decoded.end
  }
  return success(results)
}
