import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Address } from '../units.ts'
import { createReferenceHistory } from './reference-history.ts'

const apple: Address = '0x01'
const tesla: Address = '0x02'
const day = 86_400

const bookOf = (...points: (readonly [ts: number, usd: number])[]) => {
  const book = createReferenceHistory()
  for (const [ts, usd] of points) book.add(apple, { ts, usd })
  return book
}

describe('a reference book', () => {
  //   ts    100     200              300
  //          1 $     2 $              3 $
  const book = bookOf([200, 2], [100, 1], [300, 3])
  it.each([
    ['before all: the first, as an estimate', 99, 1, false],
    ['on the first', 100, 1, true],
    ['between two: the one before', 199, 1, true],
    ['on a point: that one', 200, 2, true],
    ['after the last', 301, 3, true],
    ['a day after the last', 300 + day, 3, true],
    ['a day and a second after the last: as an estimate', 301 + day, 3, false],
    ['at the end of time', Number.MAX_SAFE_INTEGER, 3, false],
  ])('%s', (_, ts, usd, ofItsTime) => {
    expect(book.at(apple, ts)).toEqual({ usd, ofItsTime })
  })

  it('returns null for a token without points', () => {
    expect(book.at(tesla, 200)).toBe(null)
  })

  it('replaces the point of the same second', () => {
    expect(bookOf([100, 1], [100, 9]).at(apple, 100)).toEqual({ usd: 9, ofItsTime: true })
  })

  it('forgets the oldest of more than 16,384 points', () => {
    const book = createReferenceHistory()
    for (let ts = 1; ts <= 16_385; ts++) book.add(apple, { ts, usd: ts })
    expect(book.at(apple, 1)).toEqual({ usd: 2, ofItsTime: false })
    expect(book.at(apple, 2)).toEqual({ usd: 2, ofItsTime: true })
    book.add(apple, { ts: 1, usd: 1 })
    expect(book.at(apple, 1)).toEqual({ usd: 2, ofItsTime: false })
  })

  it('answers the same whatever the order in which points are added', () => {
    const anyPoints = fc.uniqueArray(fc.tuple(fc.nat(300_000), fc.nat(100)), {
      selector: ([ts]) => ts,
    })
    fc.assert(
      fc.property(anyPoints, fc.nat(400_000), (points, ts) => {
        const ascending = [...points].sort(([a], [b]) => a - b)
        const before = ascending.findLast(([each]) => each <= ts)
        const point = before ?? ascending[0]
        const isOfItsTime = before !== undefined && ts - before[0] <= day
        const expected = point === undefined ? null : { usd: point[1], ofItsTime: isOfItsTime }
        expect(bookOf(...points).at(apple, ts)).toEqual(expected)
      }),
    )
  })
})
