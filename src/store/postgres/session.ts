import { createHash } from 'node:crypto'
import type { ClientBase } from 'pg'
import {
  createConnectionMutex,
  type Parameter,
  type Session,
  type Shape,
} from '../shared/session.ts'
import { numberParameters, parseRow, type TextRow } from './parameters.ts'

/** Rows and values as PostgreSQL writes them, for what belongs to no table of the store. */
export type PostgresSession = Session & {
  /** A statement that is asked once and never again, or several. */
  readonly exec: (sql: string) => Promise<readonly TextRow[]>
  readonly texts: (sql: string, values?: readonly Parameter[]) => Promise<readonly TextRow[]>
}

type Prepared = { readonly text: string; readonly name: string }

/** Every statement is one of this code's constants: there are some dozens. */
const prepared = new Map<string, Prepared>()

/** Parsed and planned once per connection, under a name that its text has everywhere. */
const preparedOf = (sql: string): Prepared => {
  const known = prepared.get(sql)
  if (known !== undefined) return known
  const name = createHash('sha256').update(sql).digest('hex').slice(0, 16)
  const made = { text: numberParameters(sql), name }
  prepared.set(sql, made)
  return made
}

export const createSession = (client: ClientBase): PostgresSession => {
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
  const texts: PostgresSession['texts'] = async (sql, values = []) => (await ask(sql, values)).rows
  const all = async <T>(
    shape: Shape<T>,
    sql: string,
    values: readonly Parameter[] = [],
  ): Promise<readonly T[]> => {
    const kinds = shape.forms.map(({ kind }) => kind)
    return (await texts(sql, values)).map((row) => shape.fromRow(parseRow(kinds, row)))
  }
  return {
    run: async (sql, values = []) => (await ask(sql, values)).rowCount ?? 0,
    exec: (sql) =>
      mutex(
        async () => (await client.query<(string | null)[]>({ text: sql, rowMode: 'array' })).rows,
      ),
    texts,
    all,
    collect: all,
    first: async (shape, sql, values) => (await all(shape, sql, values))[0] ?? null,
  }
}
