import { appendFileSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { type Figure, figureName } from './figure.ts'
import type { Machine } from './machine.ts'
import type { BenchOptions } from './options.ts'
import type { Report } from './run-bench.ts'

/** The sizes that a figure depends on. */
type Sizes = Pick<
  BenchOptions,
  'chain' | 'pools' | 'seconds' | 'subscribers' | 'storePools' | 'storeSwaps'
>

type StoredFigure = { readonly value: number; readonly unit: string; readonly spread: number }

/** One line of the history: a run. */
export type Entry = {
  readonly at: string
  readonly machine: Machine
  readonly sizes: Sizes
  readonly figures: Readonly<Record<string, StoredFigure>>
}

export const createEntry = (report: Report, options: BenchOptions, at: string): Entry => {
  const { chain, pools, seconds, subscribers, storePools, storeSwaps } = options
  return {
    at,
    machine: report.machine,
    sizes: { chain, pools, seconds, subscribers, storePools, storeSwaps },
    figures: Object.fromEntries(
      report.figures.map((figure) => {
        const { value, unit, spread } = figure
        return [figureName(figure), { value, unit, spread }]
      }),
    ),
  }
}

const linesOf = (path: string): readonly string[] => {
  try {
    return readFileSync(path, 'utf8').split('\n').filter(Boolean)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

export const readHistory = (path: string): readonly Entry[] =>
  linesOf(path).map((line) => JSON.parse(line) as Entry)

export const appendEntry = (path: string, entry: Entry): void => {
  mkdirSync(dirname(path), { recursive: true })
  appendFileSync(path, `${JSON.stringify(entry)}\n`)
}

/** A figure compared with the last one of the same machine and sizes. */
export type Change = {
  readonly at: string
  /** Relative change: 0.1 is 10 % more. */
  readonly by: number
  readonly verdict: 'better' | 'same' | 'worse'
}

/** Smaller changes are noise even on an idle machine. */
const noiseMin = 0.1

const isMoreBetter = ({ goal, unit }: Figure): boolean =>
  goal === null ? unit.endsWith('/s') : goal.kind === 'at-least'

/** Returns null if the history has no comparable run. */
export const compareWithHistory = (
  figure: Figure,
  history: readonly Entry[],
  now: Pick<Entry, 'machine' | 'sizes'>,
): Change | null => {
  const last = history.findLast(
    ({ machine, sizes, figures }) =>
      figureName(figure) in figures &&
      isDeepStrictEqual(machine, now.machine) &&
      isDeepStrictEqual(sizes, now.sizes),
  )
  const previous = last?.figures[figureName(figure)]
  if (last === undefined || previous === undefined || previous.value === 0) return null
  const by = figure.value / previous.value - 1
  const tolerance = Math.max(noiseMin, previous.spread, figure.spread, figure.noise.spread)
  const gain = isMoreBetter(figure) ? by : -by
  const isSame = Math.abs(by) <= tolerance
  return { at: last.at, by, verdict: isSame ? 'same' : gain > 0 ? 'better' : 'worse' }
}
