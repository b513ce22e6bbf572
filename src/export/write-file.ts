import { join } from 'node:path'
import {
  type ExportDataset,
  type ExportedBlock,
  type ExportedFile,
  type ExportFormat,
  exportedFilePath,
} from '../domain/history/exported-file.ts'
import { failure, type Outcome, success } from '../domain/outcome.ts'
import { secondsPerDay } from '../domain/time.ts'
import type { BlockNumber, UnixSeconds } from '../domain/units.ts'
import type { Clock } from '../ports/runtime.ts'
import type { DaySnapshot, DaySpan } from '../ports/store-days.ts'
import type { Column, RowWriter, WriteBytes } from './columns.ts'
import type { DayDataset, Selection, SnapshotDataset } from './dataset.ts'
import { createLineWriter, csv, ndjson } from './formats/lines.ts'
import { createParquetWriter } from './formats/parquet.ts'
import { createOutputFile } from './output-file.ts'
import { nameOfDay } from './plan-days.ts'
import type { FileFacts } from './pool-facts.ts'

type CreateWriter = (columns: readonly Column[], write: WriteBytes) => RowWriter

const writers: Readonly<Record<ExportFormat, CreateWriter>> = {
  parquet: createParquetWriter,
  csv: (columns, write) => createLineWriter(csv, columns, write),
  ndjson: (columns, write) => createLineWriter(ndjson, columns, write),
}

/** Where a file goes, and what its rows are made of. */
export type FileTarget = {
  readonly directory: string
  readonly name: ExportDataset
  readonly format: ExportFormat
  readonly dayTs: UnixSeconds
  readonly facts: FileFacts
  readonly selection: Selection
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly onRows: (rows: number) => void
}

/** Why a day is not written. `lost`: retention has deleted rows of it. */
export type FileFault = { readonly kind: 'stopped' } | { readonly kind: 'lost' }

type Blocks = { readonly from: ExportedBlock | null; readonly to: ExportedBlock | null }

type FillFile = (add: RowWriter['add']) => Promise<Outcome<Blocks, FileFault>>

/** Writes a file aside and puts it in its place once `fill` has succeeded. */
const writeFile = async (
  { directory, name, format, dayTs, clock, onRows }: FileTarget,
  columns: readonly Column[],
  fill: FillFile,
): Promise<Outcome<ExportedFile, FileFault>> => {
  const key = { dataset: name, day: nameOfDay(dayTs), format }
  const path = exportedFilePath(key)
  const output = createOutputFile(join(directory, path))
  let rows = 0
  try {
    const writer = writers[format](columns, output.write)
    const filled = await fill((row, shared) => {
      writer.add(row, shared)
      rows += 1
    })
    if (!filled.ok) {
      output.discard()
      return filled
    }
    writer.finish()
    onRows(rows)
    const { from, to } = filled.value
    const written = output.finish()
    const blocks = { fromBlock: from, toBlock: to }
    return success({ ...key, path, rows, ...written, ...blocks, createdTs: clock.now() })
  } catch (error) {
    output.discard()
    throw error
  }
}

const toBlock = async (
  snapshot: DaySnapshot,
  number: BlockNumber | null,
): Promise<ExportedBlock | null> =>
  number === null ? null : { number, hash: await snapshot.blockHash(number) }

/** Whether the store has all rows of the day that it once had. */
const isWhole = async (
  { table }: DayDataset,
  { snapshot, span, rows }: { snapshot: DaySnapshot; span: DaySpan; rows: number },
): Promise<boolean> => {
  if (table === 'liquidity_changes') return true
  if (table === 'reference_points') return snapshot.hasMinutesOf(span)
  const left = table === 'swaps' ? rows : await snapshot.countSwaps(span, 'minutes')
  return left === (await snapshot.countSwaps(span, 'days'))
}

/** Writes one day of a table. */
export const writeDay = (
  dataset: DayDataset,
  snapshot: DaySnapshot,
  target: FileTarget,
): Promise<Outcome<ExportedFile, FileFault>> => {
  const { facts, dayTs, selection, signal, onRows } = target
  const span = { fromTs: dayTs, toTs: dayTs + secondsPerDay, pools: selection.pools }
  return writeFile(target, dataset.columns, async (add) => {
    const addRow = dataset.createRows(facts, { dayTs, selection, add })
    const { blockAt } = dataset
    let [first, last]: (BlockNumber | null)[] = [null, null]
    let rows = 0
    for await (const page of snapshot.rows(dataset.table, span)) {
      if (signal.aborted) return failure({ kind: 'stopped' })
      for (const row of page) addRow(row)
      rows += page.length
      if (blockAt !== null) {
        first ??= page[0]?.[blockAt] as BlockNumber
        last = page.at(-1)?.[blockAt] as BlockNumber
      }
      onRows(rows)
    }
    if (!(await isWhole(dataset, { snapshot, span, rows }))) return failure({ kind: 'lost' })
    const from = await toBlock(snapshot, first ?? null)
    return success({ from, to: await toBlock(snapshot, last ?? null) })
  })
}

/** Writes the present state of all pools or stocks. */
export const writeSnapshot = (
  dataset: SnapshotDataset,
  snapshot: DaySnapshot,
  target: FileTarget & { readonly at: { block: number; hash: `0x${string}`; ts: number } },
): Promise<Outcome<ExportedFile, FileFault>> =>
  writeFile(target, dataset.columns, async (add) => {
    const { facts, selection, at } = target
    await dataset.addRows(snapshot, { facts, at, add }, selection)
    const block = { number: at.block, hash: at.hash }
    return success({ from: block, to: block })
  })
