import { describe, expect, test } from 'vitest'
import type { Hash } from '../units.ts'
import { isAtCursor, toEventCursor } from './event-cursor.ts'

const hashOf = (digit: string): Hash => `0x${digit.repeat(64)}`
const event = { block: 7, logIndex: 3, ts: 1_795_000_000, txHash: hashOf('a') }
const stored = { hash: hashOf('b') }
const cursor = toEventCursor(event, stored)

describe('the cursor of an event', () => {
  test('holds where the event is, its transaction and its block', () => {
    expect(cursor).toEqual({
      ...{ block: 7, logIndex: 3, ts: 1_795_000_000 },
      ...{ txPrefix: '0xaaaaaaaaaaaaaaaa', hashPrefix: '0xbbbbbbbbbbbbbbbb' },
    })
  })

  test.each([
    { what: 'the event', at: event, block: stored, expected: true },
    { what: 'the event once its block is no longer kept', at: event, block: null, expected: true },
    {
      what: 'the same transaction in the same place of another block',
      ...{ at: event, block: { hash: hashOf('c') }, expected: false },
    },
    {
      what: 'another transaction',
      ...{ at: { ...event, txHash: hashOf('d') }, block: stored, expected: false },
    },
    { what: 'another log', at: { ...event, logIndex: 4 }, block: stored, expected: false },
    { what: 'another number', at: { ...event, block: 8 }, block: stored, expected: false },
  ])('is at $what: $expected', ({ at, block, expected }) => {
    expect(isAtCursor(at, block, cursor)).toBe(expected)
  })

  test('of a block that was no longer kept names the transaction only', () => {
    const final = toEventCursor(event, null)
    expect(final.hashPrefix).toBeNull()
    expect(isAtCursor(event, stored, final)).toBe(true)
  })
})
