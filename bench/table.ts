import type { Figure, Goal, Omission } from './figure.ts'
import type { Change } from './history.ts'
import type { Machine } from './machine.ts'

type Line = readonly string[]

const head: Line = [
  '#',
  'figure',
  'ours',
  'limit beside it',
  'ratio',
  'goal',
  '',
  'wall',
  'CPU',
  'peak',
  'spread',
  'last',
]
/** Numeric columns are right-aligned. */
const rightColumns = new Set([0, 4, 7, 8, 9, 10])

/** Measurements have three significant digits. */
const shown = (value: number): string => {
  if (!Number.isFinite(value)) return '–'
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en')
  return String(Number(value.toPrecision(3)))
}

const withUnit = (value: number | null, unit: string): string =>
  value === null ? '' : `${shown(value)} ${unit}`

const percent = (part: number): string => `${Math.round(part * 100)} %`

const goalText = (goal: Goal | null, unit: string): string => {
  if (goal === null) return ''
  const sign = goal.kind === 'at-least' ? '>=' : '<='
  return `${sign} ${shown(goal.bound)}${goal.of === 'ratio' ? ' of it' : ` ${unit}`}`
}

const verdictOf = ({ reached }: Figure): string =>
  reached === null ? '' : reached ? 'reached' : 'MISSED'

const changeText = (change: Change | null): string => {
  if (change === null) return ''
  const by = `${change.by < 0 ? '-' : '+'}${percent(Math.abs(change.by))}`
  return change.verdict === 'same' ? by : `${by} ${change.verdict.toUpperCase()}`
}

const lineOf = (figure: Figure, change: Change | null): Line => {
  const { row, what, value, unit, limit, ratio, goal, cost, spread, rounds } = figure
  return [
    String(row),
    what,
    withUnit(value, unit),
    limit === null ? '' : `${shown(limit.value)} ${limit.what}`,
    ratio === null ? '' : ratio.toFixed(2),
    goalText(goal, unit),
    verdictOf(figure),
    withUnit(cost.wallSeconds, 's'),
    withUnit(cost.cpuSeconds, 's'),
    withUnit(cost.peakMb, 'MB'),
    rounds < 2 ? '' : percent(spread),
    changeText(change),
  ]
}

const columns = (lines: readonly Line[]): string => {
  const widths = head.map((_, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0)))
  return lines
    .map((line) =>
      line
        .map((cell, at) => {
          const width = widths[at] ?? 0
          return rightColumns.has(at) ? cell.padStart(width) : cell.padEnd(width)
        })
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

type TableInput = {
  readonly figures: readonly Figure[]
  readonly omissions: readonly Omission[]
  readonly changeOf: (figure: Figure) => Change | null
}

/** Formats the table, followed by omissions and remarks. */
export const formatTable = ({ figures, omissions, changeOf }: TableInput): string => {
  const table = columns([head, ...figures.map((figure) => lineOf(figure, changeOf(figure)))])
  const absent = omissions.map(({ row, what, reason }) => `row ${row}, ${what}: not run: ${reason}`)
  const remarks = figures.flatMap(({ row, remark }) =>
    remark === null ? [] : [`row ${row}: ${remark}`],
  )
  return [table, ...absent, ...new Set(remarks)].join('\n')
}

/** Formats the machine and its noise. */
export const formatMachine = (
  machine: Machine,
  load: number,
  figures: readonly Figure[],
): string => {
  const { processor, processors, memoryGb, system, node } = machine
  const noises = figures.map(({ noise }) => noise)
  const loops = noises.flatMap(({ loopsMs }) => loopsMs)
  const spread = Math.max(...loops) / Math.min(...loops) - 1
  const waited = Math.max(...noises.map((noise) => noise.waited))
  return [
    `${processors} x ${processor}, ${memoryGb} GB, ${system}, node ${node}; ` +
      `load before ${shown(load)}`,
    `the same loop took ${shown(Math.min(...loops))} to ${shown(Math.max(...loops))} ms ` +
      `(spread ${percent(spread)}); others had the processor for up to ${percent(waited)} of it`,
  ].join('\n')
}
