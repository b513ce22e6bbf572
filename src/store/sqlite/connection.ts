import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { createMutex } from '../../util/mutex.ts'
import type { Session } from '../shared/session.ts'
import type { Row } from '../shared/table.ts'

type Statement = {
  /** Returns the number of inserted, changed or deleted rows. */
  readonly run: (values: readonly SQLInputValue[]) => number
  readonly get: (values: readonly SQLInputValue[]) => Row | undefined
  readonly all: (values: readonly SQLInputValue[]) => readonly Row[]
  /** Reads one row at a time, for results too large to hold. */
  readonly iterate: (values: readonly SQLInputValue[]) => IterableIterator<Row>
}

/** Prepares each statement once, when it first runs. */
export type Connection = Session & {
  readonly prepare: (sql: string) => Statement
  /** One transaction; rolls back if `work` rejects. */
  readonly write: <T>(work: () => T | Promise<T>) => Promise<T>
  /** All reads of `work` see one state of the store. */
  readonly read: <T>(work: () => Promise<T>) => Promise<T>
  readonly close: () => void
}

/** Throws if the file was moved or deleted, so that writes would be lost. */
export type AssertFileInPlace = () => void

const createSession = (prepare: Connection['prepare']): Session => {
  const statements = new Map<string, Statement>()
  const prepared = (sql: string): Statement => {
    const known = statements.get(sql)
    if (known !== undefined) return known
    const statement = prepare(sql)
    statements.set(sql, statement)
    return statement
  }
  return {
    run: (sql, values = []) => prepared(sql).run(values),
    all: ({ fromRow }, sql, values = []) => prepared(sql).all(values).map(fromRow),
    // `all` would create half a million short-lived arrays for all pools.
    collect: ({ fromRow }, sql, values = []) => Array.from(prepared(sql).iterate(values), fromRow),
    ofPools: ({ fromRow }, sql, pools, values) =>
      pools.flatMap((pool) => Array.from(prepared(sql).iterate([pool, ...values]), fromRow)),
    first: ({ fromRow }, sql, values = []) => {
      const row = prepared(sql).get(values)
      return row === undefined ? null : fromRow(row)
    },
  }
}

/**
 * Shared by all connections of the thread: a connection that waits for SQLite's lock blocks the
 * thread, and with it the write of another connection that holds the lock.
 */
const writeMutex = createMutex()

export const createConnection = (
  db: DatabaseSync,
  assertInPlace: AssertFileInPlace,
): Connection => {
  /** An error such as a full disk may have ended the transaction already. */
  const rollback = (): void => {
    if (db.isTransaction) db.exec('ROLLBACK')
  }
  const prepare: Connection['prepare'] = (sql) => {
    const statement = db.prepare(sql)
    return {
      run: (values) => Number(statement.run(...values).changes),
      // `returnArrays` makes rows arrays, which the driver's types do not say.
      get: (values) => statement.get(...values) as unknown as Row | undefined,
      all: (values) => statement.all(...values) as unknown as readonly Row[],
      iterate: (values) => statement.iterate(...values) as unknown as IterableIterator<Row>,
    }
  }
  return {
    ...createSession(prepare),
    prepare,
    write: (work) =>
      writeMutex(async () => {
        assertInPlace()
        // IMMEDIATE takes the lock here, so that no later statement waits for another writer.
        db.exec('BEGIN IMMEDIATE')
        try {
          const result = await work()
          db.exec('COMMIT')
          return result
        } catch (error) {
          rollback()
          throw error
        }
      }),
    read: async (work) => {
      db.exec('BEGIN')
      try {
        return await work()
      } finally {
        rollback()
      }
    },
    close: () => {
      if (db.isOpen) db.close()
    },
  }
}
