import { describe, expect, it } from 'vitest'
import { closingRow, fillBuckets, type IndexGap, type Timed } from './fill-buckets.ts'
import type { SeriesPlan } from './series-range.ts'

type Row = Timed & { readonly name: string }
const row = (ts: number, name: string): Row => ({ ts, name })

/*
 *  ts   0    60   120  180  240  300
 *       |  a |    |b  c|    |    |  open
 */
const plan: SeriesPlan = {
  bucketSeconds: 60,
  candleWidth: 60,
  fromTs: 0,
  lastTs: 300,
  hourlyUntilTs: 0,
}
const rows = [row(0, 'a'), row(120, 'b'), row(150, 'c')]

const drawn = (gaps: readonly IndexGap[], before: Row | null = null): readonly string[] =>
  fillBuckets(plan, { rows, before, gaps }).map(({ content }) =>
    content === null
      ? 'gap'
      : `${content.before?.name ?? '-'}>${content.rows.map(({ name }) => name).join('')}`,
  )

describe('sparse rows become dense buckets', () => {
  it('each with its own rows and the one that it begins with; only the last is open', () => {
    expect(drawn([])).toEqual(['->a', 'a>', 'a>bc', 'c>', 'c>', 'c>'])
    expect(drawn([], row(-60, 'z'))[0]).toBe('z>a')
    const buckets = fillBuckets(plan, { rows, before: null, gaps: [] })
    expect(buckets.map(({ ts }) => ts)).toEqual([0, 60, 120, 180, 240, 300])
    expect(buckets.map(({ closed }) => closed)).toEqual([true, true, true, true, true, false])
  })

  it.each([
    ['one bucket', [{ fromTs: 60, toTs: 120 }], ['->a', 'gap', '->bc', 'c>', 'c>', 'c>']],
    ['one second', [{ fromTs: 179, toTs: 180 }], ['->a', 'a>', 'gap', '->', '->', '->']],
    ['two buckets', [{ fromTs: 179, toTs: 181 }], ['->a', 'a>', 'gap', 'gap', '->', '->']],
    ['no second', [{ fromTs: 180, toTs: 180 }], ['->a', 'a>', 'a>bc', 'c>', 'c>', 'c>']],
    ['up to its first row', [{ fromTs: 121, toTs: 150 }], ['->a', 'a>', 'gap', 'c>', 'c>', 'c>']],
    ['all', [{ fromTs: -9, toTs: 999 }], ['gap', 'gap', 'gap', 'gap', 'gap', 'gap']],
    [
      'two of them',
      [
        { fromTs: 0, toTs: 1 },
        { fromTs: 240, toTs: 300 },
      ],
      ['gap', '->', '->bc', 'c>', 'gap', '->'],
    ],
  ])('nothing is carried across a gap: of %s', (_, gaps, expected) => {
    expect(drawn(gaps)).toEqual(expected)
  })

  it('a gap before the first bucket voids what was before it', () => {
    const z = row(-120, 'z')
    expect(drawn([{ fromTs: -60, toTs: 0 }], z)[0]).toBe('->a')
    expect(drawn([{ fromTs: -180, toTs: -120 }], z)[0]).toBe('z>a')
  })

  it('ends as its last row stood, or as the one carried into it', () => {
    const gaps = [{ fromTs: 240, toTs: 241 }]
    const ends = fillBuckets(plan, { rows, before: null, gaps }).map(closingRow)
    expect(ends.map((end) => end?.name ?? null)).toEqual(['a', 'a', 'c', 'c', null, null])
  })

  it('a plan without buckets has none', () => {
    const none = { ...plan, fromTs: 360 }
    expect(fillBuckets(none, { rows: [], before: null, gaps: [] })).toEqual([])
  })
})
