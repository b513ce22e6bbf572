import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { ExportDataset, ExportedFile, ExportFormat } from '../domain/history/exported-file.ts'
import { failure, type Outcome, success } from '../domain/outcome.ts'
import { secondsPerDay } from '../domain/time.ts'
import type { UnixSeconds } from '../domain/units.ts'
import type { Clock } from '../ports/runtime.ts'
import type { IndexHeader } from '../ports/store-batches.ts'
import type { DaySnapshot, DayStore } from '../ports/store-days.ts'
import { describeFileFault } from '../util/file-fault.ts'
import type { DayDataset, SnapshotDataset } from './dataset.ts'
import { candlesDataset } from './datasets/candles.ts'
import { liquidityDataset } from './datasets/liquidity.ts'
import { referencesDataset } from './datasets/references.ts'
import { poolsDataset, stocksDataset } from './datasets/snapshots.ts'
import { swapsDataset } from './datasets/swaps.ts'
import { type ExportDirectory, openExportDirectory } from './export-directory.ts'
import type { ExportFilter } from './manifest.ts'
import { removePartialFiles } from './output-file.ts'
import { type DayRange, nameOfDay, planDays } from './plan-days.ts'
import { readFileFacts } from './pool-facts.ts'
import { selectRows } from './select.ts'
import { type FileFault, writeDay, writeSnapshot } from './write-file.ts'

const datasets: Readonly<Record<ExportDataset, DayDataset | SnapshotDataset>> = {
  swaps: swapsDataset,
  liquidity: liquidityDataset,
  candles: candlesDataset,
  pools: poolsDataset,
  stocks: stocksDataset,
  references: referencesDataset,
}

export type FilesRequest = {
  readonly dataset: ExportDataset
  readonly format: ExportFormat
  readonly range: DayRange
  readonly filter: ExportFilter
  readonly directory: string
  /** How a finished file is known to be whole. */
  readonly check: 'size' | 'content'
}

export type FilesStep = { readonly phase: string; readonly done: number; readonly total: number }

export type FilesDeps = {
  /** Locks a file for this process until the release; fails with who holds it. */
  readonly lock: (path: string) => Outcome<() => void, string>
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly onStep: (step: FilesStep) => void
  /** A day that the store no longer has completely. */
  readonly onSkipped: (day: string) => void
}

export type FilesResult = {
  readonly written: readonly ExportedFile[]
  /** Days that were finished before. */
  readonly kept: number
}

type Work = {
  readonly request: FilesRequest
  readonly deps: FilesDeps
  readonly store: DayStore
  readonly directory: ExportDirectory
}

const targetOf = async (
  { request, deps, directory }: Work,
  snapshot: DaySnapshot,
  header: IndexHeader,
) => {
  const facts = await readFileFacts(snapshot, header.identity.network)
  const selection = selectRows(request.filter, facts)
  if (!selection.ok) return selection
  const { dataset: name, format } = request
  const { clock, signal } = deps
  const place = { directory: directory.path, name, format }
  return success({ ...place, facts, selection: selection.value, clock, signal })
}

const describeFault = ({ kind }: FileFault, { dataset }: FilesRequest, day: string): string =>
  kind === 'stopped'
    ? 'the export was stopped; the next one continues with the days that are missing'
    : `the store no longer has all ${dataset} of ${day}: expected a later --from`

const exportSnapshot = (
  work: Work,
  dataset: SnapshotDataset,
): Promise<Outcome<FilesResult, string>> =>
  work.store.snapshot(async (snapshot) => {
    const { request, deps, directory } = work
    const header = await snapshot.header()
    const at = header?.cursor ?? null
    if (header === null || at === null) return failure('the store has no block yet')
    const target = await targetOf(work, snapshot, header)
    if (!target.ok) return target
    const dayTs = at.ts - (at.ts % secondsPerDay)
    const day = nameOfDay(dayTs)
    const onRows = (rows: number) =>
      deps.onStep({ phase: `${request.dataset} ${day}`, done: rows, total: rows })
    const file = await writeSnapshot(dataset, snapshot, { ...target.value, dayTs, onRows, at })
    if (!file.ok) return failure(describeFault(file.fault, request, day))
    directory.add(file.value)
    return success({ written: [file.value], kept: 0 })
  })

const exportDay = (
  work: Work,
  dataset: DayDataset,
  dayTs: UnixSeconds,
): Promise<Outcome<ExportedFile, FileFault | string>> =>
  work.store.snapshot(async (snapshot) => {
    const { request, deps, directory } = work
    const header = await snapshot.header()
    if (header === null) return failure('the store was reset during the export')
    const target = await targetOf(work, snapshot, header)
    if (!target.ok) return target
    const span = { fromTs: dayTs, toTs: dayTs + secondsPerDay, pools: target.value.selection.pools }
    const total = request.dataset === 'swaps' ? await snapshot.countSwaps(span, 'days') : 0
    const phase = `${request.dataset} ${nameOfDay(dayTs)}`
    const onRows = (rows: number) => deps.onStep({ phase, done: rows, total: total || rows })
    const file = await writeDay(dataset, snapshot, { ...target.value, dayTs, onRows })
    if (file.ok) directory.add(file.value)
    return file
  })

const exportDays = async (
  work: Work,
  dataset: DayDataset,
  days: readonly UnixSeconds[],
): Promise<Outcome<FilesResult, string>> => {
  const { request, deps, directory } = work
  const written: ExportedFile[] = []
  let kept = 0
  for (const dayTs of days) {
    const day = nameOfDay(dayTs)
    const { dataset: name, format } = request
    if (directory.find({ dataset: name, day, format }, request.check) !== null) {
      kept += 1
      continue
    }
    const file = await exportDay(work, dataset, dayTs)
    if (file.ok) written.push(file.value)
    else if (typeof file.fault === 'string') return failure(file.fault)
    else if (
      file.fault.kind === 'lost' &&
      request.range.fromTs === null &&
      written.length + kept === 0
    ) {
      deps.onSkipped(day)
    } else return failure(describeFault(file.fault, request, day))
  }
  return success({ written, kept })
}

const runExport = async (
  store: DayStore,
  request: FilesRequest,
  deps: FilesDeps,
): Promise<Outcome<FilesResult, string>> => {
  const dataset = datasets[request.dataset]
  const start = await store.snapshot(async (snapshot) => {
    const header = await snapshot.header()
    const firstTs = dataset.kind === 'days' ? await snapshot.firstTs(dataset.table) : null
    return { header, firstTs }
  })
  const { header, firstTs } = start
  if (header === null) return failure('the store is empty: no indexer has claimed it yet')
  const opened = openExportDirectory(request.directory, header.identity, request.filter)
  if (!opened.ok) return opened
  const work = { request, deps, store, directory: opened.value }
  if (dataset.kind === 'snapshot') return exportSnapshot(work, dataset)
  const days = planDays(request.range, header, firstTs)
  return days.ok ? exportDays(work, dataset, days.value) : days
}

/** Writes the files that the directory lacks. The fault is one line. */
export const exportFiles = async (
  store: DayStore,
  request: FilesRequest,
  deps: FilesDeps,
): Promise<Outcome<FilesResult, string>> => {
  const { directory, dataset } = request
  try {
    mkdirSync(join(directory, dataset), { recursive: true })
    const lock = deps.lock(join(directory, '.lock'))
    if (!lock.ok) return failure(`${directory} is in use by ${lock.fault}: stop that one first`)
    try {
      for (const folder of [directory, join(directory, dataset)]) removePartialFiles(folder)
      return await runExport(store, request, deps)
    } finally {
      lock.value()
    }
  } catch (error) {
    return failure(`${directory} ${describeFileFault(error)}`)
  }
}
