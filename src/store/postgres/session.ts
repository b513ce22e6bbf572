import { createHash } from 'node:crypto'
import type { ClientBase } from 'pg'
import type { ColumnKind } from '../../ports/store-dump.ts'
import { createConnectionMutex } from '../shared/connection-mutex.ts'
import type { Row } from '../shared/table.ts'
import { numbered, type Parameter, rowOf, type TextRow } from './values.ts'

/** One connection that answers one statement after the other. Places are written as `?`. */
export type Session = {
  /** How many rows were inserted, changed or removed. */
  readonly run: (sql: string, values?: readonly Parameter[]) => Promise<number>
  /** A statement that is asked once and never again, or several. */
  readonly exec: (sql: string) => Promise<readonly TextRow[]>
  readonly texts: (sql: string, values?: readonly Parameter[]) => Promise<readonly TextRow[]>
}

/** What rows are read as: of a table, or of several beside each other. */
export type Shape<T> = {
  readonly forms: readonly { readonly kind: ColumnKind }[]
  readonly fromRow: (row: Row) => T
}

type Prepared = { readonly text: string; readonly name: string }

/** Every statement is one of this code's constants: there are some dozens. */
const prepared = new Map<string, Prepared>()

/** Parsed and planned once per connection, under a name that its text has everywhere. */
const preparedOf = (sql: string): Prepared => {
  const known = prepared.get(sql)
  if (known !== undefined) return known
  const name = createHash('sha256').update(sql).digest('hex').slice(0, 16)
  const made = { text: numbered(sql), name }
  prepared.set(sql, made)
  return made
}

export const sessionOf = (client: ClientBase): Session => {
  // Whoever reads a snapshot may ask for several things at once.
  const mutex = createConnectionMutex()
  const ask = (sql: string, values: readonly Parameter[]) =>
    mutex(() =>
      client.query<(string | null)[]>({
        ...preparedOf(sql),
        values: [...values],
        rowMode: 'array',
      }),
    )
  return {
    run: async (sql, values = []) => (await ask(sql, values)).rowCount ?? 0,
    exec: (sql) =>
      mutex(
        async () => (await client.query<(string | null)[]>({ text: sql, rowMode: 'array' })).rows,
      ),
    texts: async (sql, values = []) => (await ask(sql, values)).rows,
  }
}

export const readAll = async <T>(
  { texts }: Session,
  shape: Shape<T>,
  sql: string,
  values: readonly Parameter[] = [],
): Promise<readonly T[]> => {
  const kinds = shape.forms.map(({ kind }) => kind)
  return (await texts(sql, values)).map((row) => shape.fromRow(rowOf(kinds, row)))
}

export const readFirst = async <T>(
  session: Session,
  shape: Shape<T>,
  sql: string,
  values: readonly Parameter[] = [],
): Promise<T | null> => (await readAll(session, shape, sql, values))[0] ?? null
