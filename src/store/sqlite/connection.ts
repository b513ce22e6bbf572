import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import type { Row } from '../shared/table.ts'

export type Statement = {
  /** How many rows were inserted, changed or removed. */
  readonly run: (values: readonly SQLInputValue[]) => number
  readonly get: (values: readonly SQLInputValue[]) => Row | undefined
  readonly all: (values: readonly SQLInputValue[]) => readonly Row[]
  /** One row at a time, for what is too much to hold. */
  readonly iterate: (values: readonly SQLInputValue[]) => IterableIterator<Row>
}

export type Connection = {
  readonly prepare: (sql: string) => Statement
  /** All of `work` or, if it throws, nothing of it. */
  readonly write: <T>(work: () => T) => T
  /** All reads of `work` see one state of the store. */
  readonly read: <T>(work: () => Promise<T>) => Promise<T>
  readonly close: () => void
}

/** Throws if what is written now would be lost. */
export type AssertInPlace = () => void

export const createConnection = (db: DatabaseSync, assertInPlace: AssertInPlace): Connection => {
  /** A failure may have ended the transaction already, a full disk for one. */
  const rollback = (): void => {
    if (db.isTransaction) db.exec('ROLLBACK')
  }
  return {
    prepare: (sql) => {
      const statement = db.prepare(sql)
      return {
        run: (values) => Number(statement.run(...values).changes),
        // `returnArrays` makes rows arrays, which the driver's types do not say.
        get: (values) => statement.get(...values) as unknown as Row | undefined,
        all: (values) => statement.all(...values) as unknown as readonly Row[],
        iterate: (values) => statement.iterate(...values) as unknown as IterableIterator<Row>,
      }
    },
    write: (work) => {
      assertInPlace()
      // IMMEDIATE: waiting for another writer happens here, never in the middle of the work.
      db.exec('BEGIN IMMEDIATE')
      try {
        const result = work()
        db.exec('COMMIT')
        return result
      } catch (error) {
        rollback()
        throw error
      }
    },
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
