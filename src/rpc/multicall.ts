import { failure, type Outcome, success } from '../domain/outcome.ts'
import type { Hex } from '../domain/units.ts'
import type { ContractCall } from '../ports/chain-reader.ts'

/*
 * Multicall3's aggregate3(Call3[]) (github.com/mds1/multicall3, src/Multicall3.sol). It takes
 * (address target, bool allowFailure, bytes callData)[] and returns
 * (bool success, bytes returnData)[]. By Solidity's "Contract ABI Specification" a list of tuples
 * that have bytes in them is
 *
 *     0x20 | count | where each tuple begins, reckoned from here | tuple | tuple ..
 *     tuple: its words, the last of which is where its bytes begin | length | bytes and zeros
 */

const selector = '82ad56cb'
const wordBytes = 32
const wordDigits = 2 * wordBytes

const wordOf = (value: number): string => value.toString(16).padStart(wordDigits, '0')

/** Calls that may each fail for itself. */
const callOf = ({ to, data }: ContractCall): string => {
  const digits = data.slice(2)
  const filled = digits.padEnd(Math.ceil(digits.length / wordDigits) * wordDigits, '0')
  const target = to.slice(2).padStart(wordDigits, '0')
  return [target, wordOf(1), wordOf(3 * wordBytes), wordOf(digits.length / 2), filled].join('')
}

export const encodeAggregate = (calls: readonly ContractCall[]): Hex => {
  const tuples = calls.map(callOf)
  const places: string[] = []
  let place = calls.length * wordBytes
  for (const tuple of tuples) {
    places.push(wordOf(place))
    place += tuple.length / 2
  }
  const head = [wordOf(wordBytes), wordOf(calls.length)]
  return `0x${[selector, ...head, ...places, ...tuples].join('')}`
}

export type AggregateResult = { readonly success: boolean; readonly returnData: Hex }

/** The number in the word at a place; null if none is there, or none that could be a place. */
const numberAt = (bytes: Buffer, at: number): number | null => {
  const lowAt = at + wordBytes - 4
  if (at + wordBytes > bytes.length) return null
  for (let i = at; i < lowAt; i++) if (bytes[i] !== 0) return null
  return bytes.readUInt32BE(lowAt)
}

type Placed = { readonly result: AggregateResult; readonly end: number }

const resultAt = (bytes: Buffer, at: number): Placed | null => {
  const told = numberAt(bytes, at)
  const offset = numberAt(bytes, at + wordBytes)
  if (told === null || told > 1 || offset === null) return null
  const length = numberAt(bytes, at + offset)
  if (length === null) return null
  const from = at + offset + wordBytes
  const end = from + length
  if (end > bytes.length) return null
  return {
    result: { success: told === 1, returnData: `0x${bytes.toString('hex', from, end)}` },
    end,
  }
}

/**
 * Reads what `encodeAggregate` of so many calls returned. Each result must lie behind the one
 * before, as contracts write them: a node could else have one long text read hundreds of times.
 */
export const decodeAggregate = (
  data: Hex,
  count: number,
): Outcome<readonly AggregateResult[], 'malformed'> => {
  const bytes = Buffer.from(data.slice(2), 'hex')
  const listAt = numberAt(bytes, 0)
  if (listAt === null || numberAt(bytes, listAt) !== count) return failure('malformed')
  const placesAt = listAt + wordBytes
  const results: AggregateResult[] = []
  let end = placesAt + count * wordBytes
  for (let index = 0; index < count; index++) {
    const offset = numberAt(bytes, placesAt + index * wordBytes)
    const placed =
      offset === null || placesAt + offset < end ? null : resultAt(bytes, placesAt + offset)
    if (placed === null) return failure('malformed')
    results.push(placed.result)
    end = placed.end
  }
  return success(results)
}
