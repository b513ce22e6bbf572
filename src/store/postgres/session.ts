import { createHash } from 'node:crypto'
import type { ClientBase } from 'pg'
import {
  createConnectionMutex,
  type Parameter,
  type Session,
  type Shape,
} from '../shared/session.ts'
import { numberParameters, parseRow, type TextRow } from './parameters.ts'

/** Adds untyped rows, for queries outside of the store's tables. */
export type PostgresSession = Session & {
  /** Runs statements without preparing them. */
  readonly exec: (sql: string) => Promise<readonly TextRow[]>
  readonly texts: (sql: string, values?: readonly Parameter[]) => Promise<readonly TextRow[]>
}

type Prepared = { readonly text: string; readonly name: string }

/** Bounded: all statements are constants of this program. */
const prepared = new Map<string, Prepared>()

/** Named by its hash, so that each connection parses and plans it once. */
const toPrepared = (sql: string): Prepared => {
  const known = prepared.get(sql)
  if (known !== undefined) return known
  const name = createHash('sha256').update(sql).digest('hex').slice(0, 16)
  const made = { text: numberParameters(sql), name }
  prepared.set(sql, made)
  return made
}

export const createSession = (client: ClientBase): PostgresSession => {
  // A snapshot's reads may run concurrently.
  const mutex = createConnectionMutex()
  const query = (sql: string, values: readonly Parameter[]) =>
    mutex(() =>
      client.query<(string | null)[]>({
        ...toPrepared(sql),
        values: [...values],
        rowMode: 'array',
      }),
    )
  const texts: PostgresSession['texts'] = async (sql, values = []) =>
    (await query(sql, values)).rows
  const all = async <T>(
    shape: Shape<T>,
    sql: string,
    values: readonly Parameter[] = [],
  ): Promise<readonly T[]> => {
    const kinds = shape.forms.map(({ kind }) => kind)
    return (await texts(sql, values)).map((row) => shape.fromRow(parseRow(kinds, row)))
  }
  return {
    run: async (sql, values = []) => (await query(sql, values)).rowCount ?? 0,
    exec: (sql) =>
      mutex(
        async () => (await client.query<(string | null)[]>({ text: sql, rowMode: 'array' })).rows,
      ),
    texts,
    all,
    collect: all,
    ofPools: (shape, sql, pools, values) => all(shape, sql, [JSON.stringify(pools), ...values]),
    first: async (shape, sql, values) => (await all(shape, sql, values))[0] ?? null,
  }
}
