import type { Client } from 'pg'
import { type Outcome, success } from '../../domain/outcome.ts'
import type { BackupRow, BackupSource } from '../../ports/store-backup.ts'
import {
  backupQuery,
  createStoreBackup,
  type StoredTable,
  toBackupRow,
} from '../shared/backup-tables.ts'
import { withClient } from './connection-pool.ts'
import { parseRow, type TextRow } from './parameters.ts'
import { checkPostgresSchema } from './postgres-store.ts'
import { createSession } from './session.ts'

/** Some hundred kilobytes: few round trips, little memory. */
const pageRows = 1_000

async function* pagesOf(client: Client, table: StoredTable): AsyncGenerator<readonly BackupRow[]> {
  const kinds = table.columns.map(({ kind }) => kind)
  await client.query(`DECLARE dump NO SCROLL CURSOR FOR ${backupQuery(table)}`)
  try {
    for (;;) {
      const text = `FETCH ${pageRows} FROM dump`
      const { rows } = await client.query<(string | null)[]>({ text, rowMode: 'array' })
      if (rows.length === 0) return
      yield rows.map((row: TextRow) => toBackupRow(table, parseRow(kinds, row)))
    }
  } finally {
    await client.query('CLOSE dump').catch(() => undefined)
  }
}

/** Opens the store for a backup while another process may write it; also on a replica. */
export const openPostgresBackup = async (store: {
  readonly url: string
}): Promise<Outcome<BackupSource, string>> => {
  const found = await checkPostgresSchema(store)
  if (!found.ok) return found
  return success({
    read: (use) =>
      withClient(store.url, async (client) => {
        await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
        return use(
          await createStoreBackup(createSession(client), (table) => pagesOf(client, table)),
        )
      }),
    close: async () => {},
  })
}
