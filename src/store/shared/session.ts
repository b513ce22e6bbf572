import type { ColumnKind } from '../../ports/store-export.ts'
import { createMutex, type Mutex } from '../../util/mutex.ts'
import type { Row } from './table.ts'

/** What every driver takes for one place of a statement. */
export type Parameter = string | number | Buffer | null

/** At once from an engine in this process, later from one behind a connection. */
export type Eventual<T> = T | Promise<T>

/** What rows are read as: records of a table, or the result of a query. */
export type Shape<T> = {
  readonly forms: readonly { readonly kind: ColumnKind }[]
  readonly fromRow: (row: Row) => T
}

type ReadRows = <T>(
  shape: Shape<T>,
  sql: string,
  values?: readonly Parameter[],
) => Eventual<readonly T[]>

/** One connection that runs one statement after the other. Places are written as `?`. */
export type Session = {
  /** Returns how many rows were inserted, changed or removed. */
  readonly run: (sql: string, values?: readonly Parameter[]) => Eventual<number>
  readonly all: ReadRows
  /** The same for queries that may return every pool: row by row where that saves memory. */
  readonly collect: ReadRows
  readonly first: <T>(
    shape: Shape<T>,
    sql: string,
    values?: readonly Parameter[],
  ) => Eventual<T | null>
}

/** More callers than this at once mean that the connection is stuck. */
const waitingMax = 10_000

/** One task at a time: a connection has one transaction, not many. */
export const createConnectionMutex = (): Mutex => createMutex({ waitingMax })
