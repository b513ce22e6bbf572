import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Figure, type Omission, type Sample, toFigures } from './figure.ts'
import type { BenchContext, Group } from './group.ts'
import { createNoiseMeter, loadNow, type Machine, thisMachine } from './machine.ts'
import type { BenchOptions } from './options.ts'

export type Report = {
  readonly machine: Machine
  /** Runnable processes at the start. */
  readonly loadBefore: number
  readonly figures: readonly Figure[]
  readonly omissions: readonly Omission[]
}

type GroupReport = Pick<Report, 'figures' | 'omissions'>

const runGroup = async (group: Group, context: BenchContext): Promise<GroupReport> => {
  const { say, options } = context
  const meter = createNoiseMeter()
  const samples: Sample[] = []
  const opened = await group.open(context)
  try {
    meter.measure()
    for (let round = 1; round <= options.repeat; round++) {
      say(`${group.name}: round ${round} of ${options.repeat}`)
      samples.push(...(await opened.round()))
      meter.measure()
    }
    const selected = samples.filter(({ row }) => context.isSelected(row))
    return { figures: toFigures(selected, meter.noise()), omissions: opened.omissions() }
  } finally {
    await opened.close()
  }
}

/** Measures the selected rows, group by group and round by round. */
export const runBench = async (
  options: BenchOptions,
  groups: readonly Group[],
  say: (text: string) => void,
): Promise<Report> => {
  const machine = thisMachine()
  const loadBefore = loadNow()
  const root = mkdtempSync(join(tmpdir(), 'stockpools-bench-'))
  const reports: GroupReport[] = []
  const wants = (row: number): boolean => options.rows.has(row)
  try {
    for (const group of groups.filter(({ rows }) => rows.some(wants))) {
      const directory = join(root, group.name)
      mkdirSync(directory)
      reports.push(await runGroup(group, { options, directory, say, isSelected: wants }))
      rmSync(directory, { recursive: true, force: true })
    }
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
  const byRow = (a: { readonly row: number }, b: { readonly row: number }) => a.row - b.row
  return {
    machine,
    loadBefore,
    figures: reports.flatMap(({ figures }) => figures).toSorted(byRow),
    omissions: reports.flatMap(({ omissions }) => omissions).toSorted(byRow),
  }
}
