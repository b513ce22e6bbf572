import { expect, test } from 'vitest'
import { costUnknown, type Figure, type Sample, toFigures } from '../../bench/figure.ts'
import { compareWithHistory, createEntry, type Entry } from '../../bench/history.ts'
import { defaultOptions, parseOptions } from '../../bench/options.ts'

const noise = { loopsMs: [100, 102], spread: 0.02, waited: 0 }

const sampleOf = (value: number, rest: Partial<Sample> = {}): Sample => ({
  row: 1,
  what: 'backfill',
  value,
  unit: 'events/s',
  limit: null,
  goal: { kind: 'at-least', of: 'value', bound: 40_000 },
  cost: costUnknown,
  remark: null,
  ...rest,
})

const figureOf = (samples: readonly Sample[]): Figure => toFigures(samples, noise)[0] as Figure

const machine = { processor: 'a', processors: 2, memoryGb: 4, system: 'b', node: 'v24' }

const entry = (figures: readonly Figure[], at = 'then'): Entry =>
  createEntry({ machine, loadBefore: 0, figures, omissions: [] }, defaultOptions, at)

test('a figure is the median of its rounds, its ratio that of each round to its own limit', () => {
  const limits = [100, 50, 100].map((value) => ({ what: 'at best', value }))
  const values = [40, 30, 20]
  const samples = values.map((value, at) => sampleOf(value, { limit: limits[at] ?? null }))
  expect(figureOf(samples)).toMatchObject({ value: 30, ratio: 0.4, rounds: 3, spread: 20 / 30 })
})

test('reaches a goal exactly at its bound', () => {
  expect(figureOf([sampleOf(40_000)]).reached).toBe(true)
  expect(figureOf([sampleOf(39_999)]).reached).toBe(false)
  const goal = { kind: 'at-most', of: 'ratio', bound: 2 } as const
  const limit = { what: 'at best', value: 10 }
  expect(figureOf([sampleOf(20, { goal, limit })]).reached).toBe(true)
  expect(figureOf([sampleOf(21, { goal, limit })]).reached).toBe(false)
})

test.each([
  ['fewer a second', 50_000, 40_000, 'worse'],
  ['more a second', 50_000, 60_000, 'better'],
  ['chance', 50_000, 47_000, 'same'],
] as const)('a regression shows: %s', (_, before, now, verdict) => {
  const history = [entry([figureOf([sampleOf(before)])])]
  const figure = figureOf([sampleOf(now)])
  const change = compareWithHistory(figure, history, entry([figure], 'now'))
  expect(change).toMatchObject({ at: 'then', verdict, by: now / before - 1 })
})

test('a growing value is a regression if lower is better', () => {
  const goal = { kind: 'at-most', of: 'value', bound: 250 } as const
  const history = [entry([figureOf([sampleOf(100, { goal })])])]
  const figure = figureOf([sampleOf(150, { goal })])
  expect(compareWithHistory(figure, history, entry([figure]))?.verdict).toBe('worse')
})

test('compares with the last run of the same machine and sizes', () => {
  const figure = figureOf([sampleOf(100)])
  const history = [entry([figureOf([sampleOf(80)])], 'first'), entry([figure], 'second')]
  const now = entry([figure])
  expect(compareWithHistory(figure, history, now)?.at).toBe('second')
  expect(
    compareWithHistory(figure, history, { ...now, machine: { ...machine, node: 'v26' } }),
  ).toBeNull()
  const { sizes } = createEntry(
    { machine, loadBefore: 0, figures: [figure], omissions: [] },
    parseOptions(['--events', '500']),
    'now',
  )
  expect(compareWithHistory(figure, history, { ...now, sizes })).toBeNull()
  expect(compareWithHistory(figureOf([sampleOf(1, { what: 'another' })]), history, now)).toBeNull()
})

test('parses rows and sizes, and reports unknown options', () => {
  const { rows, repeat, growth } = parseOptions([
    '--rows',
    '1,9',
    '--repeat',
    '2',
    '--growth',
    '5,50',
  ])
  expect([[...rows], repeat, growth]).toEqual([[1, 9], 2, [5, 50]])
  expect(parseOptions([]).peers).toEqual([])
  expect(parseOptions(['--peers', '--only', 'ponder']).peers).toEqual(['ponder'])
  expect(() => parseOptions(['--rows', '17'])).toThrow('--rows must be from 1 to 16')
  expect(() => parseOptions(['--repeat', '0'])).toThrow(
    '--repeat must be a positive integer, not "0"',
  )
  expect(() => parseOptions(['--peers', '--only', 'unknown'])).toThrow('one of subsquid')
})
