import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { createGroups } from './groups.ts'
import { appendEntry, compareWithHistory, createEntry, readHistory } from './history.ts'
import type { BenchOptions } from './options.ts'
import { renderPlot } from './plot.ts'
import { type Report, runBench } from './run-bench.ts'
import { formatMachine, formatTable } from './table.ts'

const say = (text: string): void => {
  process.stderr.write(`${text}\n`)
}

const writeText = (path: string, text: string): void => {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

const publishReport = (report: Report, options: BenchOptions): void => {
  const at = new Date().toISOString()
  const entry = createEntry(report, options, at)
  const history = readHistory(options.history)
  const { figures, omissions, machine, loadBefore } = report
  const changes = figures.map((figure) => compareWithHistory(figure, history, entry))
  const table = formatTable({
    figures,
    omissions,
    changeOf: (figure) => changes[figures.indexOf(figure)] ?? null,
  })
  process.stdout.write(`${table}\n${formatMachine(machine, loadBefore, figures)}\n`)
  writeText(options.json, `${JSON.stringify({ ...entry, ...report, changes }, null, 2)}\n`)
  appendEntry(options.history, entry)
}

/** Measures, prints the table and appends the figures to the history. */
export const runCommand = async (options: BenchOptions): Promise<void> => {
  const groups = createGroups((points) => writeText(options.plot, renderPlot(points)))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
  say(`rows ${[...options.rows].join(', ')}; rounds: ${options.repeat}`)
  publishReport(await runBench(options, groups, say), options)
}
