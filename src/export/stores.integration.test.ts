import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { startPostgres } from '../../test/setup/postgres.ts'
import { identityOf } from '../../test/store-contract/fixtures.ts'
import {
  postgresLocation,
  sqliteLocation,
  temporaryFolder,
  unwrap,
} from '../../test/support/backup/homes.ts'
import { fillDays, stockPoolV4 } from '../../test/support/export/filled-store.ts'
import { readManifestOf, runExport } from '../../test/support/export/run-export.ts'
import { exportDatasets, exportFormats } from '../domain/history/exported-file.ts'
import type { DayStore } from '../ports/store-days.ts'
import { openPostgresDays } from '../store/postgres/day-store.ts'
import { openSqliteDays } from '../store/sqlite/day-store.ts'

const server = await startPostgres()
afterAll(server.dispose)

const openBoth = async (folder: string): Promise<readonly DayStore[]> => {
  const [sqlite, postgres] = [
    sqliteLocation(folder),
    postgresLocation(await server.createDatabase()),
  ]
  for (const location of [sqlite, postgres]) {
    const store = unwrap(await location.openStore())
    await fillDays(store)
    await store.close()
  }
  return [
    unwrap(openSqliteDays(sqlite.url.slice('sqlite:'.length))),
    unwrap(await openPostgresDays(postgres.url)),
  ]
}

test('SQLite and PostgreSQL give the same bytes', async () => {
  const folder = temporaryFolder(onTestFinished)
  const stores = await openBoth(folder)
  const filters = [
    { symbol: null, pool: null },
    { symbol: null, pool: identityOf(stockPoolV4).id },
    { symbol: 'AAPL', pool: null },
  ]
  for (const [at, filter] of filters.entries()) {
    const outs = stores.map((_, number) => join(folder, `out-${at}-${number}`))
    for (const dataset of exportDatasets) {
      for (const format of exportFormats) {
        for (const [number, store] of stores.entries()) {
          unwrap(await runExport(store, outs[number] ?? '', { dataset, format, filter }))
        }
      }
    }
    const [one, other] = outs.map((out) => ({ out, files: readManifestOf(out).files }))
    expect(other?.files).toEqual(one?.files)
    expect(one?.files.length).toBeGreaterThan(30)
    for (const { path } of one?.files ?? []) {
      const bytes = outs.map((out) => readFileSync(join(out, path)))
      expect(bytes[0]?.equals(bytes[1] ?? Buffer.alloc(0)), path).toBe(true)
    }
  }
  for (const store of stores) await store.close()
})
