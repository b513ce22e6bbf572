import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { createMutex } from '../../util/mutex.ts'
import type { Session } from '../shared/session.ts'
import type { Row } from '../shared/table.ts'

type Statement = {
  /** How many rows were inserted, changed or removed. */
  readonly run: (values: readonly SQLInputValue[]) => number
  readonly get: (values: readonly SQLInputValue[]) => Row | undefined
  readonly all: (values: readonly SQLInputValue[]) => readonly Row[]
  /** One row at a time, for what is too much to hold. */
  readonly iterate: (values: readonly SQLInputValue[]) => IterableIterator<Row>
}

/** Its statements are prepared when they are first run, once each. */
export type Connection = Session & {
  readonly prepare: (sql: string) => Statement
  /** All of `work` or, if it rejects, nothing of it. */
  readonly write: <T>(work: () => T | Promise<T>) => Promise<T>
  /** All reads of `work` see one state of the store. */
  readonly read: <T>(work: () => Promise<T>) => Promise<T>
  readonly close: () => void
}

/** Throws if what is written now would be lost. */
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
    // All pools at once are half a million small arrays that nobody needs any more.
    collect: ({ fromRow }, sql, values = []) => Array.from(prepared(sql).iterate(values), fromRow),
    first: ({ fromRow }, sql, values = []) => {
      const row = prepared(sql).get(values)
      return row === undefined ? null : fromRow(row)
    },
  }
}

/**
 * For all connections of the thread: waiting for a lock stops the thread, and with it the write of
 * another connection that would release it.
 */
const oneWrite = createMutex()

export const createConnection = (
  db: DatabaseSync,
  assertInPlace: AssertFileInPlace,
): Connection => {
  /** A failure may have ended the transaction already, a full disk for one. */
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
      oneWrite(async () => {
        assertInPlace()
        // IMMEDIATE: waiting for another writer happens here, never in the middle of the work.
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
