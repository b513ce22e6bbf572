import { describe, expect, it } from 'vitest'
import { checkPublishedTs, readBidAsk } from './bid-ask.ts'

describe('bid and ask', () => {
  it.each([
    ['225.38', '225.39', { bid: 225.38, ask: 225.39 }],
    [225.38, 225.39, { bid: 225.38, ask: 225.39 }],
    ['1', '1', { bid: 1, ask: 1 }],
    ['', '225.39', { bid: null, ask: 225.39 }],
    ['225.38', null, { bid: 225.38, ask: null }],
    ['', '', 'price-missing'],
    [undefined, null, 'price-missing'],
    ['0', '225.39', 'bid-not-positive'],
    ['225.38', '-1', 'ask-not-positive'],
    ['NaN', '225.39', 'bid-not-a-number'],
    ['225.38', '2e2', 'ask-not-a-number'],
    ['225,38', '225.39', 'bid-not-a-number'],
    ['0x10', '225.39', 'bid-not-a-number'],
    [Number.NaN, 1, 'bid-not-a-number'],
    [true, 1, 'bid-not-a-number'],
    ['225.40', '225.39', 'crossed'],
  ])('%j and %j: %j', (bid, ask, expected) => {
    const sides = readBidAsk(bid, ask)
    expect(sides.ok ? sides.value : sides.fault).toEqual(expected)
  })
})

describe("the publisher's time", () => {
  const now = 1_790_189_020
  it.each([
    [now, now],
    [now - 7 * 86_400, now - 7 * 86_400],
    [now + 30, now + 30],
    [now + 31, 'clock-ahead'],
    [now * 1000, 'time-in-milliseconds'],
    [0, 'time-malformed'],
    [-62_135_596_800, 'time-malformed'],
    [now + 0.5, 'time-malformed'],
    [Number.NaN, 'time-malformed'],
  ])('%s: %s', (ts, expected) => {
    const checked = checkPublishedTs(ts, now)
    expect(checked.ok ? checked.value : checked.fault).toBe(expected)
  })
})
