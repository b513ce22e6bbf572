import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bytesOf, cutLists, fitLists } from './fit-answer.ts'

const rowsOf = (count: number) => Array.from({ length: count }, (_, at) => ({ at }))

test('lists of records are cut, series at their beginning, and codes are kept', () => {
  const codes = ['a', 'b', 'c']
  const body = { items: rowsOf(3), pool: { segments: rowsOf(5), codes }, series: rowsOf(4), codes }
  expect(cutLists(body, 3)).toEqual({
    body: {
      ...{ items: rowsOf(3), pool: { segments: rowsOf(3), codes }, codes },
      series: rowsOf(4).slice(1),
    },
    cut: [
      { list: 'pool.segments', shown: 3, of: 5 },
      { list: 'series', shown: 3, of: 4 },
    ],
  })
  expect(cutLists(body, 9)).toEqual({ body, cut: [] })
})

test('what fits is not touched, and what does not is cut until it does', () => {
  const anyBody = fc.record({
    items: fc.array(fc.record({ text: fc.string() }), { maxLength: 60 }),
    inner: fc.record({ legs: fc.array(fc.record({ n: fc.integer() }), { maxLength: 60 }) }),
  })
  fc.assert(
    fc.property(anyBody, fc.integer({ min: 200, max: 2000 }), (body, bytesMax) => {
      const { body: after, cut } = fitLists(body, bytesMax)
      if (bytesOf(body) <= bytesMax) expect([after, cut]).toEqual([body, []])
      else expect(cut.length).toBeGreaterThan(0)
      const { items, inner } = after as typeof body
      const isLeast = items.length <= 1 && inner.legs.length <= 1
      expect(bytesOf(after) <= bytesMax || isLeast).toBe(true)
      expect(body.items.slice(0, items.length)).toEqual(items)
      for (const { list, shown, of } of cut) {
        const [before, now] = list === 'items' ? [body.items, items] : [body.inner.legs, inner.legs]
        expect([shown, of]).toEqual([now.length, before.length])
      }
    }),
  )
})
