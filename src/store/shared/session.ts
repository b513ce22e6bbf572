import type { PoolNumber } from '../../domain/pool/pool-state.ts'
import type { ColumnKind } from '../../ports/store-backup.ts'
import { createMutex, type Mutex } from '../../util/mutex.ts'
import type { Row } from './table.ts'

/** A parameter of a statement that every driver accepts. */
export type Parameter = string | number | Buffer | null

/** A value of an engine in this process, a promise of one behind a connection. */
export type Eventual<T> = T | Promise<T>

/** Converts rows of a table or of a query. */
export type Shape<T> = {
  readonly forms: readonly { readonly kind: ColumnKind }[]
  readonly fromRow: (row: Row) => T
}

type ReadRows = <T>(
  shape: Shape<T>,
  sql: string,
  values?: readonly Parameter[],
) => Eventual<readonly T[]>

/** A connection that runs one statement at a time. Parameters are written as `?`. */
export type Session = {
  /** Returns the number of inserted, changed or deleted rows. */
  readonly run: (sql: string, values?: readonly Parameter[]) => Eventual<number>
  readonly all: ReadRows
  /** The same for queries that may return every pool: converts row by row to save memory. */
  readonly collect: ReadRows
  /** The rows that a query of one pool, wrapped by `eachPool` of its engine, has for each pool. */
  readonly ofPools: <T>(
    shape: Shape<T>,
    sql: string,
    pools: readonly PoolNumber[],
    values: readonly Parameter[],
  ) => Eventual<readonly T[]>
  readonly first: <T>(
    shape: Shape<T>,
    sql: string,
    values?: readonly Parameter[],
  ) => Eventual<T | null>
}

/** More waiting callers mean that the connection is stuck. */
const waitingMax = 10_000

/** Runs one task at a time: a connection has one transaction. */
export const createConnectionMutex = (): Mutex => createMutex({ waitingMax })
