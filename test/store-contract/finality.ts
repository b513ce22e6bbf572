import { describe, expect, test } from 'vitest'
import type { OpenBench } from './bench.ts'
import { batchOf, blockRefAt, contentsOf } from './fixtures.ts'

export const describeFinality = (open: OpenBench): void => {
  describe('finality cursor', () => {
    const openSettled = async () => {
      const { store } = await open()
      await store.commitRange(batchOf({ before: null, to: 30 }))
      await store.advanceFinalized({ expectedCursor: null, to: blockRefAt(10), crossChecked: true })
      return store
    }

    test('advances the finalized cursor and changes nothing else', async () => {
      const store = await openSettled()
      const { header, ...rows } = await contentsOf(store)
      expect(header).toMatchObject({
        revision: 2,
        epoch: 0,
        finalizedCursor: blockRefAt(10),
        crossChecked: true,
      })
      expect(
        await store.advanceFinalized({
          expectedCursor: 10,
          to: blockRefAt(20),
          crossChecked: false,
        }),
      ).toBe('committed')
      const { header: after, ...same } = await contentsOf(store)
      expect(same).toEqual(rows)
      const expected = {
        ...header,
        revision: 3,
        finalizedCursor: blockRefAt(20),
        crossChecked: false,
      }
      expect(after).toEqual(expected)
    })

    test.each([
      ['again', { expectedCursor: null, to: blockRefAt(10) }, 'committed'],
      [
        'at the same height on another branch',
        { expectedCursor: 10, to: blockRefAt(10, 1) },
        'stale-cursor',
      ],
      ['back', { expectedCursor: 10, to: blockRefAt(9) }, 'stale-cursor'],
      ['from elsewhere', { expectedCursor: 9, to: blockRefAt(12) }, 'stale-cursor'],
      ['from scratch', { expectedCursor: null, to: blockRefAt(12) }, 'stale-cursor'],
      ['beyond what is indexed', { expectedCursor: 10, to: blockRefAt(31) }, 'stale-cursor'],
    ] as const)('%s changes nothing', async (_, update, outcome) => {
      const store = await openSettled()
      const before = await contentsOf(store)
      expect(await store.advanceFinalized({ ...update, crossChecked: false })).toBe(outcome)
      expect(await contentsOf(store)).toEqual(before)
    })
  })
}
