import { createHash } from 'node:crypto'
import { failure, type Outcome, success } from '../domain/outcome.ts'
import type { BackupRow, RestoreSink } from '../ports/store-backup.ts'
import {
  type BackupHeader,
  type BackupProgress,
  parseBackupFooter,
  parseBackupHeader,
  parseJson,
} from './format.ts'
import { readLines } from './line-reader.ts'
import { listLacking, matchColumns } from './match-columns.ts'
import { createRowRestorer, headerTable, type RowRestorer } from './row-restorer.ts'
import { rowFromJson } from './value.ts'

type RestoredFile = {
  readonly heading: BackupHeader
  readonly header: BackupRow
  /** Tables and columns that the file does not have. */
  readonly lacking: readonly string[]
  readonly rows: number
}

type Deps = {
  /** The file's name, which starts each fault. */
  readonly name: string
  readonly sink: Pick<RestoreSink, 'tables' | 'begin' | 'write'>
  readonly onStep: (step: BackupProgress) => void
}

type LineResult = Promise<Outcome<void, string>>

const done = success(undefined)
const truncated = 'ends too early: a part of it is missing'

/** Reads header, rows and footer, one line after the other. */
const createLineRestorer = ({ name, sink, onStep }: Deps) => {
  const hash = createHash('sha256')
  const addToChecksum = (line: string) => hash.update(`${line}\n`)
  let begun: { readonly heading: BackupHeader; readonly restorer: RowRestorer } | null = null
  let lacking: readonly string[] = []
  let number = 0
  let isEnded = false
  const reject = (fault: string) => failure(`${name} ${fault}`)
  const begin = async (line: string): LineResult => {
    const heading = parseBackupHeader(line)
    if (!heading.ok) return reject(heading.fault)
    const tables = matchColumns(heading.value.tables, sink.tables)
    if (!tables.ok) return reject(tables.fault)
    const header = tables.value.find(({ name: table }) => table === headerTable)
    if (header?.rows !== 1) return reject('must have one header row')
    lacking = listLacking(tables.value, sink.tables)
    addToChecksum(line)
    begun = { heading: heading.value, restorer: createRowRestorer(tables.value, { sink, onStep }) }
    return sink.begin()
  }
  const end = (
    json: unknown,
    restorer: RowRestorer,
    isComplete: boolean,
  ): Outcome<void, string> => {
    const claimed = parseBackupFooter(json)
    if (claimed === null) {
      return reject(isComplete ? `line ${number} is not valid JSON` : truncated)
    }
    if (claimed.sha256 !== hash.digest('hex')) return reject('was changed: its checksum differs')
    if (restorer.table() !== null || claimed.rows !== restorer.rows()) {
      return reject('does not have the rows that its header lists')
    }
    isEnded = true
    return done
  }
  return {
    take: async (line: string, isComplete: boolean): LineResult => {
      number += 1
      if (isEnded) return reject('continues after its last line')
      if (begun === null) return begin(line)
      const { restorer } = begun
      const json = parseJson(line)
      if (!Array.isArray(json)) return end(json, restorer, isComplete)
      const table = restorer.table()
      if (table === null) return reject('does not have the rows that its header lists')
      const row = rowFromJson(table.columns, json)
      if (!row.ok) return reject(`line ${number} (${table.name}): ${row.fault}`)
      addToChecksum(line)
      return restorer.take(row.value)
    },
    result: (): Outcome<RestoredFile, string> => {
      const header = begun?.restorer.header() ?? null
      if (begun === null || !isEnded || header === null) return reject(truncated)
      return success({ heading: begun.heading, header, lacking, rows: begun.restorer.rows() })
    },
  }
}

/** Writes all rows except the header, which the caller writes after the file was verified. */
export const restoreLines = async (
  chunks: AsyncIterable<Uint8Array>,
  deps: Deps,
): Promise<Outcome<RestoredFile, string>> => {
  const restorer = createLineRestorer(deps)
  for await (const read of readLines(chunks)) {
    if (!read.ok) return failure(`${deps.name} ${read.fault}`)
    for (const line of read.value.lines) {
      const taken = await restorer.take(line, read.value.isComplete)
      if (!taken.ok) return taken
    }
  }
  return restorer.result()
}
