import { describe, expect, test } from 'vitest'
import type { OpenBench } from './bench.ts'
import { anchorAt, batchOf, contentsOf } from './fixtures.ts'

export const describeSettling = (open: OpenBench): void => {
  describe('settling', () => {
    const openSettled = async () => {
      const { store } = await open()
      await store.commitRange(batchOf({ before: null, to: 30 }))
      await store.advanceFinalized({ before: null, to: anchorAt(10), verified: true })
      return store
    }

    test('moves the settled block on, and nothing else', async () => {
      const store = await openSettled()
      const { header, ...rows } = await contentsOf(store)
      expect(header).toMatchObject({
        revision: 2,
        epoch: 0,
        finalizedCursor: anchorAt(10),
        crossChecked: true,
      })
      expect(await store.advanceFinalized({ before: 10, to: anchorAt(20), verified: false })).toBe(
        'committed',
      )
      const { header: after, ...same } = await contentsOf(store)
      expect(same).toEqual(rows)
      const expected = {
        ...header,
        revision: 3,
        finalizedCursor: anchorAt(20),
        crossChecked: false,
      }
      expect(after).toEqual(expected)
    })

    test.each([
      ['again', { before: null, to: anchorAt(10) }, 'committed'],
      ['at the same height on another branch', { before: 10, to: anchorAt(10, 1) }, 'stale-cursor'],
      ['back', { before: 10, to: anchorAt(9) }, 'stale-cursor'],
      ['from elsewhere', { before: 9, to: anchorAt(12) }, 'stale-cursor'],
      ['anew', { before: null, to: anchorAt(12) }, 'stale-cursor'],
      ['beyond what is indexed', { before: 10, to: anchorAt(31) }, 'stale-cursor'],
    ] as const)('%s changes nothing', async (_, settling, outcome) => {
      const store = await openSettled()
      const before = await contentsOf(store)
      expect(await store.advanceFinalized({ ...settling, verified: false })).toBe(outcome)
      expect(await contentsOf(store)).toEqual(before)
    })
  })
}
