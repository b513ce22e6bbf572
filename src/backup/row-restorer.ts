import { type Outcome, success } from '../domain/outcome.ts'
import type { BackupRow, RestoreSink } from '../ports/store-backup.ts'
import type { BackupProgress } from './format.ts'
import type { FileTable } from './match-columns.ts'

/** Rows of one transaction: short enough not to block, long enough to be efficient. */
const transactionRows = 2_000

/** Its row makes a store usable, so it is written after the checksum was verified. */
export const headerTable = 'header'

type Target = {
  readonly sink: Pick<RestoreSink, 'write'>
  readonly onStep: (step: BackupProgress) => void
}

export type RowRestorer = {
  /** The table of the next row; null once all tables are complete. */
  readonly table: () => FileTable | null
  /** Takes a row as the file has it. */
  readonly take: (row: BackupRow) => Promise<Outcome<void, string>>
  readonly rows: () => number
  readonly header: () => BackupRow | null
}

/** Groups rows, which come in the file's order, into transactions. */
export const createRowRestorer = (
  tables: readonly FileTable[],
  { sink, onStep }: Target,
): RowRestorer => {
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
    table: () => left[0] ?? null,
    take: async (row) => {
      const table = left[0]
      if (table === undefined) throw new Error('backup: the row belongs to no table')
      page.push(table.toRow(row))
      rows += 1
      done += 1
      const isLast = done === table.rows
      if (!isLast && page.length < transactionRows) return success(undefined)
      onStep({ phase: table.name, done, total: table.rows })
      if (isLast) {
        left.shift()
        done = 0
      }
      return write(table.name)
    },
    rows: () => rows,
    header: () => header,
  }
}
