import type { IndexHeader } from '../../ports/store-batches.ts'
import { text } from '../shared/codec.ts'
import { headerQuery, headers } from '../shared/header-table.ts'
import { column } from '../shared/table.ts'
import { createInsert, runInChunks, unnestColumns } from './bulk-insert.ts'
import type { PostgresSession } from './session.ts'

/** The first statement of every write; serializes the writes of all processes. */
export const lockHeader = ({ first }: PostgresSession) =>
  first(headers, `${headerQuery} FOR UPDATE`)

const writeId = column('writeId', text)
const columns = [...headers.forms, writeId]
const names = columns.map(({ name }) => name)
const updateText = `UPDATE header SET
  ${names.map((name) => `${name} = given.${name}`).join(', ')}
  FROM ${unnestColumns(columns)} AS given(${names.join(', ')}) WHERE header.id = 1`

const insertHeader = createInsert(headers, {
  carried: [
    { name: 'id', kind: 'integer', of: () => 1 },
    { ...writeId, of: () => 'birth' },
  ],
})

/** Delivered at the commit, once per transaction. */
const notifyText = "SELECT pg_notify('stockpools', '')"

type Saving = {
  /** Stored in the header: identifies a commit whose answer was lost. */
  readonly writeId: string
  /** Whether the server supports `pg_notify`. */
  readonly notifies: boolean
}

export const saveHeader = async (
  session: PostgresSession,
  header: IndexHeader,
  { writeId, notifies }: Saving,
): Promise<void> => {
  const rows = [[...headers.toRow(header), writeId]]
  if ((await runInChunks(session, updateText, columns, rows)) === 0) {
    // The store is not claimed. The key rejects the second of two concurrent claims.
    await insertHeader(session, [header])
    await runInChunks(session, updateText, columns, rows)
  }
  if (notifies) await session.texts(notifyText)
}

const writeIdText = 'SELECT write_id FROM header WHERE id = 1 FOR UPDATE'

/** Waits for a transaction that may still be running, so that the result is final. */
export const readLastWriteId = async ({ texts }: PostgresSession): Promise<string | null> =>
  (await texts(writeIdText))[0]?.[0] ?? null
