import { type Outcome, success } from '../domain/outcome.ts'
import type { BackupRow, BackupTable, RestoreSink } from '../ports/store-backup.ts'
import type { BackupHeader, BackupProgress } from './format.ts'

/** Rows of one transaction: short enough not to block, long enough to be efficient. */
const transactionRows = 2_000

/** Its row makes a store usable, so it is written after the checksum was verified. */
export const headerTable = 'header'

type Target = {
  readonly sink: Pick<RestoreSink, 'tables' | 'write'>
  readonly onStep: (step: BackupProgress) => void
}

export type RowRestorer = {
  /** The table of the next row; null once all tables are complete. */
  readonly table: () => BackupTable | null
  readonly take: (row: BackupRow) => Promise<Outcome<void, string>>
  readonly rows: () => number
  readonly header: () => BackupRow | null
}

/** Groups rows, which come in the file's order, into transactions. */
export const createRowRestorer = (
  { tables }: BackupHeader,
  { sink, onStep }: Target,
): RowRestorer => {
  const known = new Map(sink.tables.map((table) => [table.name, table]))
  const left = tables.filter(({ rows }) => rows > 0)
  let done = 0
  let rows = 0
  let page: BackupRow[] = []
  let header: BackupRow | null = null
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
