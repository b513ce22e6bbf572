import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { zstdDecompressSync } from 'node:zlib'
import { parquetReadObjects } from 'hyparquet'
import { lockFile } from '../../../src/cli/compose/file-lock.ts'
import type { Outcome } from '../../../src/domain/outcome.ts'
import {
  exportFiles,
  type FilesRequest,
  type FilesResult,
} from '../../../src/export/export-files.ts'
import { parseManifest } from '../../../src/export/manifest.ts'
import type { DayStore } from '../../../src/ports/store-days.ts'
import { unwrap } from '../backup/homes.ts'

const wholeDays: Omit<FilesRequest, 'directory'> = {
  dataset: 'swaps',
  format: 'parquet',
  range: { fromTs: null, toTs: null },
  filter: { symbol: null, pool: null },
  check: 'size',
}

/** Exports with the defaults of the command; `skipped` takes the names of skipped days. */
export const runExport = (
  store: DayStore,
  directory: string,
  rest: Partial<FilesRequest> = {},
  watch: { readonly signal?: AbortSignal; readonly skipped?: string[] } = {},
): Promise<Outcome<FilesResult, string>> =>
  exportFiles(
    store,
    { ...wholeDays, directory, ...rest },
    {
      clock: { now: () => 1_795_900_000 },
      signal: watch.signal ?? new AbortController().signal,
      onStep: () => {},
      lock: lockFile,
      onSkipped: (day) => watch.skipped?.push(day),
    },
  )

export const readManifestOf = (directory: string) =>
  unwrap(parseManifest(readFileSync(join(directory, 'manifest.json'), 'utf8')))

type ReadRow = Readonly<Record<string, unknown>>

/** By another reader than any that the service has. */
export const readParquet = async (path: string): Promise<readonly ReadRow[]> => {
  const { buffer, byteOffset, byteLength } = readFileSync(path)
  return parquetReadObjects({
    file: buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer,
    compressors: { ZSTD: (bytes) => new Uint8Array(zstdDecompressSync(bytes)) },
  })
}

export const readNdjson = (path: string): readonly ReadRow[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))

/** RFC 4180; null is an empty field without quotes. */
export const readCsv = (path: string): readonly ReadRow[] => {
  const text = readFileSync(path, 'utf8')
  const lines: (string | null)[][] = []
  let line: (string | null)[] = []
  const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy
  for (let match = field.exec(text); match !== null; match = field.exec(text)) {
    const [, quoted, plain, end] = match
    line.push(
      quoted === undefined ? (plain === '' ? null : (plain ?? null)) : quoted.replaceAll('""', '"'),
    )
    if (end !== '\r\n') continue
    lines.push(line)
    line = []
  }
  const [names = [], ...rows] = lines
  return rows.map((values) => Object.fromEntries(names.map((name, at) => [name, values[at]])))
}

/** A row of Parquet as the lines of NDJSON have it. */
export const toJsonRow = (row: ReadRow): ReadRow =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      if (value instanceof Date) {
        const text = value.toISOString()
        return [name, /date|month/.test(name) ? text.slice(0, 10) : text.replace('.000', '')]
      }
      return [name, typeof value === 'bigint' ? Number(value) : (value ?? null)]
    }),
  )

/** A row of NDJSON as the fields of CSV have it. */
export const toCsvRow = (row: ReadRow): ReadRow =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, value === null ? null : String(value)]),
  )
