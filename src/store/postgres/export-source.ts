import type { Client } from 'pg'
import { type Outcome, success } from '../../domain/outcome.ts'
import type { ExportRow, ExportSource } from '../../ports/store-export.ts'
import {
  createStoreExport,
  type ExportedTable,
  exportQuery,
  toExportRow,
} from '../shared/export-tables.ts'
import { withClient } from './connection-pool.ts'
import { parseRow, type TextRow } from './parameters.ts'
import { checkPostgresSchema } from './postgres-store.ts'
import { createSession } from './session.ts'

/** Some hundred kilobytes: few round trips, little memory. */
const pageRows = 1_000

async function* pagesOf(
  client: Client,
  table: ExportedTable,
): AsyncGenerator<readonly ExportRow[]> {
  const kinds = table.columns.map(({ kind }) => kind)
  await client.query(`DECLARE dump NO SCROLL CURSOR FOR ${exportQuery(table)}`)
  try {
    for (;;) {
      const text = `FETCH ${pageRows} FROM dump`
      const { rows } = await client.query<(string | null)[]>({ text, rowMode: 'array' })
      if (rows.length === 0) return
      yield rows.map((row: TextRow) => toExportRow(table, parseRow(kinds, row)))
    }
  } finally {
    await client.query('CLOSE dump').catch(() => undefined)
  }
}

/** Opens the store for an export while another process may write it; also on a replica. */
export const openPostgresExport = async (store: {
  readonly url: string
}): Promise<Outcome<ExportSource, string>> => {
  const found = await checkPostgresSchema(store)
  if (!found.ok) return found
  return success({
    read: (use) =>
      withClient(store.url, async (client) => {
        await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
        return use(
          await createStoreExport(createSession(client), (table) => pagesOf(client, table)),
        )
      }),
    close: async () => {},
  })
}
