import { setImmediate } from 'node:timers/promises'
import { type Outcome, success } from '../../domain/outcome.ts'
import type { DayRow, DayStore } from '../../ports/store-days.ts'
import { createDayReads, firstTsQueries } from '../shared/day-reads.ts'
import { createSnapshotReads } from '../shared/reads.ts'
import { readPages } from '../shared/snapshot.ts'
import type { Connection } from './connection.ts'
import { sqliteDayQuery } from './day-queries.ts'
import { hexQueries } from './hex-queries.ts'
import { openReader } from './open.ts'

/** A few milliseconds of work, so that a stop signal is handled. */
const pageRows = 1_000

async function* pagesOf(connection: Connection, sql: string): AsyncGenerator<readonly DayRow[]> {
  let page: DayRow[] = []
  for (const row of connection.prepare(sql).iterate([])) {
    page.push(row as DayRow)
    if (page.length < pageRows) continue
    yield page
    page = []
    await setImmediate()
  }
  if (page.length > 0) yield page
}

/**
 * Opens the store for reading days while another process may write it. During a snapshot SQLite
 * cannot checkpoint the WAL, which grows with every write.
 */
export const openSqliteDays = (path: string): Outcome<DayStore, string> => {
  const opened = openReader(path)
  if (!opened.ok) return opened
  const connection = opened.value
  const reads = createSnapshotReads(connection, hexQueries, (pages) => readPages(pageRows, pages))
  return success({
    snapshot: (use) =>
      connection.read(() =>
        use({
          header: async () => reads.header(),
          pools: reads.pools,
          tokens: reads.tokens,
          stocksChangedAfter: async (revision) => reads.stocksChangedAfter(revision),
          rows: (table, span) => pagesOf(connection, sqliteDayQuery(table, span)),
          ...createDayReads(connection, firstTsQueries(hexQueries)),
        }),
      ),
    close: async () => connection.close(),
  })
}
