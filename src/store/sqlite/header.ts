import type { StoreHeader } from '../../ports/store-rows.ts'
import { headers } from '../shared/header-table.ts'
import { columnsOf } from '../shared/table.ts'
import type { Connection } from './connection.ts'

export const createHeaderRead = (connection: Connection): (() => StoreHeader | null) => {
  const select = connection.prepare(`SELECT ${columnsOf(headers)} FROM header WHERE id = 1`)
  return () => {
    const row = select.get([])
    return row === undefined ? null : headers.fromRow(row)
  }
}

export type HeaderRow = {
  readonly read: () => StoreHeader | null
  /** For writers, who must have claimed the store before. */
  readonly claimed: () => StoreHeader
  readonly save: (header: StoreHeader) => void
}

const saveText = `INSERT INTO header (id, ${columnsOf(headers)})
  VALUES (1, ${headers.columns.map(() => '?').join(', ')})
  ON CONFLICT (id) DO UPDATE SET
  ${headers.columns.map((column) => `${column} = excluded.${column}`).join(', ')}`

export const createHeaderRow = (connection: Connection): HeaderRow => {
  const read = createHeaderRead(connection)
  const upsert = connection.prepare(saveText)
  return {
    read,
    claimed: () => {
      const header = read()
      if (header === null) throw new Error('store: begin() comes before any other write')
      return header
    },
    save: (header) => {
      upsert.run(headers.toRow(header))
    },
  }
}
