import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { createSyntheticChain } from './chain/generate.ts'
import { paramsDefault } from './chain/params.ts'
import { startNode } from './chain/start-node.ts'
import type { IndexingReport } from './index-process.ts'
import { faultOfStore, measureBaseline, measureIndexing } from './rows.ts'

/**
 * Measures how fast the index reads a chain: `node bench/index.ts [--events 100000] [--repeat 3]`.
 * What was read is held against the chain before a time is told.
 */

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: String(paramsDefault.events) },
    pools: { type: 'string', default: String(paramsDefault.pools) },
    blocks: { type: 'string', default: String(paramsDefault.blocks) },
    repeat: { type: 'string', default: '1' },
    json: {
      type: 'string',
      default: fileURLToPath(new URL('./out/results.json', import.meta.url)),
    },
  },
})
const params = {
  ...paramsDefault,
  events: Number(values.events),
  pools: Number(values.pools),
  blocks: Number(values.blocks),
}

const say = (text: string): void => {
  process.stderr.write(`${text}\n`)
}

/** The rows of the table of figures that concern reading a chain. */
type Row = {
  readonly row: number
  readonly what: string
  readonly value: number
  readonly unit: string
  readonly goal: string
  readonly reached: boolean
}

const atLeast = (goal: number) => (value: number) => value >= goal
const atMost = (goal: number) => (value: number) => value <= goal

const rowOf = (
  row: number,
  [what, unit, goal, reaches]: readonly [string, string, string, (value: number) => boolean],
  value: number,
): Row => ({ row, what, value, unit, goal, reached: reaches(value) })

const rowsOf = (near: IndexingReport, far: IndexingReport): readonly Row[] => [
  rowOf(1, ['backfill', 'events/s', '>= 40,000', atLeast(40_000)], params.events / near.seconds),
  rowOf(
    2,
    ['with 50 ms and 10,000 logs an answer', 'events/s', '>= 30,000', atLeast(30_000)],
    params.events / far.seconds,
  ),
  rowOf(
    3,
    ['per CPU second, database included', 'events', '>= 25,000', atLeast(25_000)],
    params.events / near.cpuSeconds,
  ),
  rowOf(4, ['peak memory of 1', 'MB', '<= 250', atMost(250)], near.rssPeakMb),
  rowOf(5, ['requests of 1', 'requests', '<= 60', atMost(60)], near.counts.requests),
]

const columns = (cells: readonly string[]): string =>
  cells.map((cell, at) => cell.padEnd([4, 40, 20, 12][at] ?? 0)).join('')

const tableOf = (rows: readonly Row[]): string =>
  rows
    .map(({ row, what, value, unit, goal, reached }) => {
      const shown = `${Math.round(value).toLocaleString('en')} ${unit}`
      return columns([String(row), what, shown, goal, reached ? '' : '  missed'])
    })
    .join('\n')

const dataDir = mkdtempSync(join(tmpdir(), 'stockpools-bench-'))
say(`Drawing ${params.events} events of ${params.pools} pools in ${params.blocks} blocks`)
const chain = createSyntheticChain(params)
const node = await startNode({ params })

/** The fastest of some runs, each of them correct. */
const best = async (name: string): Promise<IndexingReport> => {
  const reports: IndexingReport[] = []
  for (let run = 0; run < Number(values.repeat); run++) {
    const storePath = join(dataDir, `${name}-${run}.sqlite`)
    await node.recount()
    const report = await measureIndexing({ url: node.url, storePath })
    say(`${name}: ${report.seconds.toFixed(2)} s, ${JSON.stringify(report.counts.calls)}`)
    for (const complaint of report.complaints) say(`  ${complaint}`)
    const fault = await faultOfStore(chain, storePath)
    if (fault !== null) throw new Error(`${name}: ${fault}`)
    say(`${name}: every event and every state is the chain's`)
    reports.push(report)
  }
  const [first, ...rest] = reports.toSorted((a, b) => a.seconds - b.seconds)
  if (first === undefined) throw new Error('nothing was measured', { cause: rest })
  return first
}

try {
  const baseline = await measureBaseline(node, chain)
  const near = await best('loopback')
  await node.behave({ latencyMs: 50, logsMax: 10_000 })
  const far = await best('50 ms')
  const rows = rowsOf(near, far)
  const ratio = params.events / near.seconds / baseline.parsedLogsPerSecond
  const facts = { params, cpus: cpus().length, node: process.version, baseline, ratio }
  mkdirSync(join(values.json, '..'), { recursive: true })
  writeFileSync(values.json, `${JSON.stringify({ ...facts, rows, near, far }, null, 2)}\n`)
  process.stdout.write(`${tableOf(rows)}\n`)
  const per = (value: number): string => Math.round(value).toLocaleString('en')
  process.stdout.write(`JSON.parse alone: ${per(baseline.parsedLogsPerSecond)} logs/s; `)
  process.stdout.write(`row 1 is ${ratio.toFixed(2)} of it\n`)
  process.stdout.write(`the node alone: ${per(baseline.servedLogsPerSecond)} logs/s\n`)
} finally {
  await node.stop()
  rmSync(dataDir, { recursive: true, force: true })
}
