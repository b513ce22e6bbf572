import { createHash } from 'node:crypto'
import { failure, type Outcome, success } from '../domain/outcome.ts'
import type { ExportRow, ImportSink } from '../ports/store-export.ts'
import {
  type ExportHeader,
  findColumnDifference,
  parseExportFooter,
  parseExportHeader,
  parseJson,
  type TransferProgress,
} from './format.ts'
import { readLines } from './line-reader.ts'
import { createRowImporter, headerTable, type RowImporter } from './row-importer.ts'
import { rowFromJson } from './value.ts'

type Whole = { readonly heading: ExportHeader; readonly header: ExportRow; readonly rows: number }

type Deps = {
  /** The file, to begin a fault with. */
  readonly name: string
  readonly sink: Pick<ImportSink, 'tables' | 'begin' | 'write'>
  readonly onStep: (step: TransferProgress) => void
}

type Step = Promise<Outcome<void, string>>

const done = success(undefined)
const truncated = 'ends too early: a part of it is missing'

/** What becomes of the lines, one after the other. */
const createLineTaker = ({ name, sink, onStep }: Deps) => {
  const hash = createHash('sha256')
  const told = (line: string) => hash.update(`${line}\n`)
  let begun: { readonly heading: ExportHeader; readonly taker: RowImporter } | null = null
  let number = 0
  let isEnded = false
  const refuse = (fault: string) => failure(`${name} ${fault}`)
  const begin = async (line: string): Step => {
    const heading = parseExportHeader(line)
    if (!heading.ok) return refuse(heading.fault)
    const difference = findColumnDifference(heading.value, sink.tables)
    if (difference !== null) return refuse(difference)
    const headers = heading.value.tables.filter(({ name: table }) => table === headerTable)
    if (headers[0]?.rows !== 1) return refuse('must have one row of header')
    told(line)
    begun = { heading: heading.value, taker: createRowImporter(heading.value, { sink, onStep }) }
    return sink.begin()
  }
  const end = (json: unknown, taker: RowImporter, isWhole: boolean): Outcome<void, string> => {
    const claimed = parseExportFooter(json)
    if (claimed === null) {
      return refuse(isWhole ? `line ${number} can not be understood` : truncated)
    }
    if (claimed.sha256 !== hash.digest('hex')) return refuse('was changed: its check sum differs')
    if (taker.table() !== null || claimed.rows !== taker.rows()) {
      return refuse('has not the rows that it promises')
    }
    isEnded = true
    return done
  }
  return {
    take: async (line: string, isWhole: boolean): Step => {
      number += 1
      if (isEnded) return refuse('goes on after its end')
      if (begun === null) return begin(line)
      const { taker } = begun
      const json = parseJson(line)
      if (!Array.isArray(json)) return end(json, taker, isWhole)
      const table = taker.table()
      if (table === null) return refuse('has not the rows that it promises')
      const row = rowFromJson(table.columns, json)
      if (!row.ok) return refuse(`line ${number} (${table.name}): ${row.fault}`)
      told(line)
      return taker.take(row.value)
    },
    whole: (): Outcome<Whole, string> => {
      const header = begun?.taker.header() ?? null
      if (begun === null || !isEnded || header === null) return refuse(truncated)
      return success({ heading: begun.heading, header, rows: begun.taker.rows() })
    },
  }
}

/** Writes all but the header, which stays back until the whole file was seen and found right. */
export const importLines = async (
  chunks: AsyncIterable<Uint8Array>,
  deps: Deps,
): Promise<Outcome<Whole, string>> => {
  const taker = createLineTaker(deps)
  for await (const read of readLines(chunks)) {
    if (!read.ok) return failure(`${deps.name} ${read.fault}`)
    for (const line of read.value.lines) {
      const taken = await taker.take(line, read.value.isWhole)
      if (!taken.ok) return taken
    }
  }
  return taker.whole()
}
