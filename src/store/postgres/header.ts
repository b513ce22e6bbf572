import type { StoreHeader } from '../../ports/store-rows.ts'
import type { ColumnValue } from '../shared/codec.ts'
import { text } from '../shared/codec.ts'
import { headers } from '../shared/header-table.ts'
import { column, columnsOf } from '../shared/table.ts'
import { insertion, runOver, unnestOf } from './insertion.ts'
import { readFirst, type Session } from './session.ts'
import type { Transaction } from './writing.ts'

const headerText = `SELECT ${columnsOf(headers)} FROM header WHERE id = 1`

export const readHeader = (session: Session): Promise<StoreHeader | null> =>
  readFirst(session, headers, headerText)

/** The first statement of every write: one after the other, whoever they come from. */
export const lockHeader = (tx: Transaction): Promise<StoreHeader | null> =>
  readFirst(tx, headers, `${headerText} FOR UPDATE`)

/** For writers, who must have claimed the store before. */
export const claimedHeader = async (tx: Transaction): Promise<StoreHeader> => {
  const header = await lockHeader(tx)
  if (header === null) throw new Error('store: begin() comes before any other write')
  return header
}

const writeId = column('writeId', text)
const columns = [...headers.forms, writeId]
const names = columns.map(({ name }) => name)
const updateText = `UPDATE header SET
  ${names.map((name) => `${name} = given.${name}`).join(', ')}
  FROM ${unnestOf(columns)} AS given(${names.join(', ')}) WHERE header.id = 1`

/** Whoever listens looks when the transaction is in; sent once per transaction, however often. */
const notifyText = "SELECT pg_notify('stockpools', '')"

export const saveHeader = async (tx: Transaction, header: StoreHeader): Promise<void> => {
  const row: readonly ColumnValue[] = [...headers.toRow(header), tx.writeId]
  await runOver(tx, updateText, columns, [row])
  if (tx.notifies) await tx.texts(notifyText)
}

const insertHeader = insertion(headers, {
  carried: [
    { name: 'id', kind: 'integer', of: () => 1 },
    { ...writeId, of: () => 'birth' },
  ],
})

/** Of a store that nobody claimed; of two that come at once the second is refused by the key. */
export const createHeader = async (tx: Transaction, header: StoreHeader): Promise<void> => {
  await insertHeader(tx, [header])
  await saveHeader(tx, header)
}

const writeIdText = 'SELECT write_id FROM header WHERE id = 1 FOR UPDATE'

/** Waits for a transaction that is perhaps still on its way: then the answer is final. */
export const lastWriteId = async (session: Session): Promise<string | null> =>
  (await session.texts(writeIdText))[0]?.[0] ?? null
