import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { planFollow } from './plan.ts'

const plan = (given: Partial<Parameters<typeof planFollow>[0]>) =>
  planFollow({
    indexed: null,
    origin: 100,
    latest: 1000,
    confirmations: 20,
    blocksMax: 50,
    ...given,
  })

describe('what to read next', () => {
  //   origin          indexed                 latest − confirmations     latest
  //   100               500                          980                  1000
  it.each([
    ['at first from the origin on', {}, { kind: 'read', from: 100, to: 149 }],
    ['then what follows the indexed block', { indexed: 500 }, { kind: 'read', from: 501, to: 550 }],
    ['no further than is confirmed', { indexed: 960 }, { kind: 'read', from: 961, to: 980 }],
    ['one block, if only one is confirmed', { indexed: 979 }, { kind: 'read', from: 980, to: 980 }],
    ['one block, if no more is wanted', { blocksMax: 1 }, { kind: 'read', from: 100, to: 100 }],
    ['nothing, if all confirmed blocks are in', { indexed: 980 }, { kind: 'wait' }],
    ['nothing, if the head went back', { indexed: 990 }, { kind: 'wait' }],
    ['nothing, before the origin is confirmed', { latest: 119 }, { kind: 'wait' }],
    ['the origin once it is', { latest: 120 }, { kind: 'read', from: 100, to: 100 }],
    ['nothing of a chain that is younger', { latest: 3 }, { kind: 'wait' }],
    [
      'up to the head, without confirmations',
      { indexed: 990, confirmations: 0 },
      { kind: 'read', from: 991, to: 1000 },
    ],
  ])('%s', (_, given, step) => {
    expect(plan(given)).toEqual(step)
  })

  it('reads every block once, up to the last confirmed one', () => {
    const anyCase = fc.record({
      latest: fc.nat(500),
      confirmations: fc.nat(30),
      blocksMax: fc.integer({ min: 1, max: 200 }),
    })
    fc.assert(
      fc.property(anyCase, ({ latest, confirmations, blocksMax }) => {
        const read: number[] = []
        let indexed: number | null = null
        for (;;) {
          const step = plan({ indexed, origin: 7, latest, confirmations, blocksMax })
          if (step.kind === 'wait') break
          for (let block = step.from; block <= step.to; block++) read.push(block)
          indexed = step.to
        }
        const count = Math.max(0, latest - confirmations - 7 + 1)
        expect(read).toEqual(Array.from({ length: count }, (_, index) => 7 + index))
      }),
    )
  })
})
