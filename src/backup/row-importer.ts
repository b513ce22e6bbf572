import { type Outcome, success } from '../domain/outcome.ts'
import type { ExportRow, ExportTable, ImportSink } from '../ports/store-export.ts'
import type { ExportHeader, TransferProgress } from './format.ts'

/** Rows of one transaction: short enough not to block, long enough to be efficient. */
const transactionRows = 2_000

/** Its row makes a store usable, so it is written after the checksum was verified. */
export const headerTable = 'header'

type Target = {
  readonly sink: Pick<ImportSink, 'tables' | 'write'>
  readonly onStep: (step: TransferProgress) => void
}

export type RowImporter = {
  /** The table of the next row; null once all tables are complete. */
  readonly table: () => ExportTable | null
  readonly take: (row: ExportRow) => Promise<Outcome<void, string>>
  readonly rows: () => number
  readonly header: () => ExportRow | null
}

/** Groups rows, which come in the file's order, into transactions. */
export const createRowImporter = (
  { tables }: ExportHeader,
  { sink, onStep }: Target,
): RowImporter => {
  const known = new Map(sink.tables.map((table) => [table.name, table]))
  const left = tables.filter(({ rows }) => rows > 0)
  let done = 0
  let rows = 0
  let page: ExportRow[] = []
  let header: ExportRow | null = null
  const write = async (name: string): Promise<Outcome<void, string>> => {
    const written = page
    page = []
    if (name !== headerTable) return sink.write(name, written)
    header = written[0] ?? null
    return success(undefined)
  }
  return {
    table: () => known.get(left[0]?.name ?? '') ?? null,
    take: async (row) => {
      const heading = left[0]
      if (heading === undefined) throw new Error('backup: the row belongs to no table')
      page.push(row)
      rows += 1
      done += 1
      const isLast = done === heading.rows
      if (!isLast && page.length < transactionRows) return success(undefined)
      onStep({ phase: heading.name, done, total: heading.rows })
      if (isLast) {
        left.shift()
        done = 0
      }
      return write(heading.name)
    },
    rows: () => rows,
    header: () => header,
  }
}
