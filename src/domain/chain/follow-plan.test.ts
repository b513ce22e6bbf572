import { describe, expect, it } from 'vitest'
import { planNextRange, progressAt } from './follow-plan.ts'

const plan = (given: Partial<Parameters<typeof planNextRange>[0]>) =>
  planNextRange({ cursor: null, origin: 100, latest: 1000, confirmations: 20, ...given })

const read = (next: number, last: number) => ({ kind: 'read', next, last })

describe('what to read next', () => {
  //   origin          indexed                 latest − confirmations     latest
  //   100               500                          980                  1000
  it.each([
    ['at first from the origin on', {}, read(100, 980)],
    ['then what follows the indexed block', { cursor: 500 }, read(501, 980)],
    ['one block, if only one is confirmed', { cursor: 979 }, read(980, 980)],
    ['nothing, if all confirmed blocks are in', { cursor: 980 }, { kind: 'synced' }],
    ['nothing, if the head went back', { cursor: 990 }, { kind: 'wait' }],
    ['nothing, before the origin is confirmed', { latest: 119 }, { kind: 'wait' }],
    ['the origin once it is', { latest: 120 }, read(100, 100)],
    ['nothing of a chain that is younger', { latest: 3 }, { kind: 'wait' }],
    ['up to the head, without confirmations', { cursor: 990, confirmations: 0 }, read(991, 1000)],
  ])('%s', (_, given, step) => {
    expect(plan(given)).toEqual(step)
  })
})

describe('how far it is', () => {
  const chain = { origin: 100, confirmed: 10_099 }
  it.each([
    ['with nothing read', 99, { phase: 'swaps', done: 0, total: 10_000 }],
    ['in the middle', 5099, { phase: 'swaps', done: 5000, total: 10_000 }],
    ['near the head it follows', 8099, { phase: 'done', done: 8000, total: 10_000 }],
    ['at the head', 10_099, { phase: 'done', done: 10_000, total: 10_000 }],
    ['ahead of a head that went back', 10_200, { phase: 'done', done: 10_000, total: 10_000 }],
  ])('%s', (_, to, progress) => {
    expect(progressAt(to, chain)).toEqual(progress)
  })

  it('of a chain that has not begun there is nothing', () => {
    const none = { phase: 'done', done: 0, total: 0 }
    expect(progressAt(99, { origin: 100, confirmed: 50 })).toEqual(none)
  })
})
