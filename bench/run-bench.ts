import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Figure, type Omission, type Sample, toFigures } from './figure.ts'
import type { BenchContext, Group } from './group.ts'
import { createNoiseMeter, loadNow, type Machine, thisMachine } from './machine.ts'
import type { BenchOptions } from './options.ts'

export type Report = {
  readonly machine: Machine
  /** Processes that wanted to run when it began: ours, and others. */
  readonly loadBefore: number
  readonly figures: readonly Figure[]
  readonly omissions: readonly Omission[]
}

type Told = Pick<Report, 'figures' | 'omissions'>

const runGroup = async (group: Group, scene: BenchContext): Promise<Told> => {
  const { say, options } = scene
  const meter = createNoiseMeter()
  const samples: Sample[] = []
  const opened = await group.open(scene)
  try {
    meter.look()
    for (let round = 1; round <= options.repeat; round++) {
      say(`${group.name}: round ${round} of ${options.repeat}`)
      samples.push(...(await opened.round()))
      meter.look()
    }
    const wanted = samples.filter(({ row }) => scene.isSelected(row))
    return { figures: toFigures(wanted, meter.noise()), omissions: opened.omissions() }
  } finally {
    await opened.close()
  }
}

/** Measures the rows that are asked for, group after group, and the rounds of each in turn. */
export const runBench = async (
  options: BenchOptions,
  groups: readonly Group[],
  say: (text: string) => void,
): Promise<Report> => {
  const machine = thisMachine()
  const loadBefore = loadNow()
  const root = mkdtempSync(join(tmpdir(), 'stockpools-bench-'))
  const told: Told[] = []
  const wants = (row: number): boolean => options.rows.has(row)
  try {
    for (const group of groups.filter(({ rows }) => rows.some(wants))) {
      const directory = join(root, group.name)
      mkdirSync(directory)
      told.push(await runGroup(group, { options, directory, say, isSelected: wants }))
      rmSync(directory, { recursive: true, force: true })
    }
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
  const byRow = (a: { readonly row: number }, b: { readonly row: number }) => a.row - b.row
  return {
    machine,
    loadBefore,
    figures: told.flatMap(({ figures }) => figures).toSorted(byRow),
    omissions: told.flatMap(({ omissions }) => omissions).toSorted(byRow),
  }
}
