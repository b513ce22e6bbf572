import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hashOf, logOf, pool, topic, word } from '../../test/support/rpc/fake-node.ts'
import { isEmptyFilter, validateLogs } from './validate-logs.ts'

const range = { from: 10, to: 20 }
const all = { topics: [] }
const placesOf = (json: readonly unknown[], filter = {}) => {
  const checked = validateLogs(json, range, { ...all, ...filter })
  return checked.ok ? checked.value.map((log) => [log.block, log.logIndex]) : checked.fault
}

describe('what eth_getLogs answers', () => {
  it('comes out in chain order', () => {
    expect(placesOf([logOf(12, 3), logOf(20, 0), logOf(12, 1), logOf(10, 9)])).toEqual([
      [10, 9],
      [12, 1],
      [12, 3],
      [20, 0],
    ])
  })

  it('shuffled and with copies it is the same', () => {
    const logs = [logOf(10, 0), logOf(10, 1), logOf(13, 0), logOf(20, 7)]
    const scrambled = fc.shuffledSubarray([...logs, ...logs, ...logs], { minLength: 12 })
    fc.assert(
      fc.property(scrambled, (json) => {
        expect(placesOf(json)).toEqual(placesOf(logs))
      }),
      { numRuns: 50 },
    )
  })

  it.each([
    ['below the range', [logOf(9, 0)], 'log outside the range'],
    ['above the range', [logOf(21, 0)], 'log outside the range'],
    [
      'two logs at one index',
      [logOf(11, 0), logOf(11, 0, { data: '0x' })],
      /two logs at one index/,
    ],
    [
      'one index twice, in two transactions',
      [logOf(11, 0), logOf(11, 0, { transactionIndex: '0x5' })],
      /two logs at one index/,
    ],
    ['two hashes of a block', [logOf(11, 0), logOf(11, 1, { blockHash: word(1) })], /two hashes/],
    ['a pending log', [logOf(11, 0, { blockNumber: null })], 'log with a malformed blockNumber'],
    ['something else', ['log'], 'log with a malformed log'],
  ])('%s is refused', (_, json, fault) => {
    expect(placesOf(json as unknown[])).toMatch(fault)
  })

  it.each([null, {}, '0x', 7])('%j is no list', (json) => {
    expect(validateLogs(json, range, all)).toEqual({
      ok: false,
      fault: 'eth_getLogs returned no list',
    })
  })
})

describe('removed logs', () => {
  it('are dropped, also where the branch that replaced them is in the same answer', () => {
    const old = logOf(11, 0, { removed: true, blockHash: hashOf(11, 1) })
    expect(placesOf([old, logOf(11, 0), logOf(12, 0)])).toEqual([
      [11, 0],
      [12, 0],
    ])
  })

  it('rejects a log that is also canonical', () => {
    expect(placesOf([logOf(11, 0, { removed: true }), logOf(11, 0)])).toMatch(
      /both removed and canonical/,
    )
  })
})

describe('the filter is checked, not trusted', () => {
  const other = `0x${'c2'.repeat(20)}`
  const foreign = 'log that the filter excludes'
  it.each([
    ['its address', { addresses: [pool] }, [logOf(11, 0)], [[11, 0]]],
    ['another address', { addresses: [pool] }, [logOf(11, 0, { address: other })], foreign],
    ['its topic', { topics: [[word(1), topic]] }, [logOf(11, 0)], [[11, 0]]],
    ['another topic', { topics: [[word(1)]] }, [logOf(11, 0)], foreign],
    ['any topic, then the second', { topics: [null, [word(0)]] }, [logOf(11, 0)], [[11, 0]]],
    ['another second topic', { topics: [null, [word(1)]] }, [logOf(11, 0)], foreign],
    ['a third topic that is not there', { topics: [null, null, [topic]] }, [logOf(11, 0)], foreign],
    ['anything, also no topic', { topics: [null] }, [logOf(11, 0, { topics: [] })], [[11, 0]]],
  ])('%s', (_, filter, json, expected) => {
    expect(placesOf(json, filter)).toEqual(expected)
  })

  it('an empty list matches nothing, though a node takes it for anything', () => {
    expect(isEmptyFilter({ topics: [] })).toBe(false)
    expect(isEmptyFilter({ topics: [null, [topic]] })).toBe(false)
    expect(isEmptyFilter({ topics: [null, []] })).toBe(true)
    expect(isEmptyFilter({ addresses: [], topics: [] })).toBe(true)
  })
})
