import type { Client } from 'pg'
import { type Outcome, success } from '../../domain/outcome.ts'
import type { DayRow, DayStore } from '../../ports/store-days.ts'
import { createDayReads, type DayDialect, dayQuery, firstTsQueries } from '../shared/day-reads.ts'
import { queries } from '../shared/queries.ts'
import { createSnapshotReads } from '../shared/reads.ts'
import { readPages } from '../shared/snapshot.ts'
import { withClient } from './connection-pool.ts'
import { checkPostgresSchema } from './postgres-store.ts'
import { createSession } from './session.ts'

/** Some hundred kilobytes: few round trips, little memory. */
const pageRows = 1_000

const dialect: DayDialect = {
  select: ({ name, kind }) =>
    kind === 'bytes' || kind === 'bigint' ? `encode(${name}, 'hex')` : name,
  swapOrder: 'ts, block, log_index',
  boundSwaps: () => '',
}

/** Types of the driver's numbers (pg_type.dat); everything else is text. */
const isNumber = (oid: number): boolean => [20, 21, 23, 701].includes(oid)

async function* pagesOf(client: Client, sql: string): AsyncGenerator<readonly DayRow[]> {
  await client.query(`DECLARE days NO SCROLL CURSOR FOR ${sql}`)
  try {
    for (;;) {
      const text = `FETCH ${pageRows} FROM days`
      const { rows, fields } = await client.query<(string | null)[]>({ text, rowMode: 'array' })
      if (rows.length === 0) return
      const numeric = fields.map(({ dataTypeID }) => isNumber(dataTypeID))
      yield rows.map((row) =>
        row.map((value, at) => (value !== null && numeric[at] ? Number(value) : value)),
      )
    }
  } finally {
    await client.query('CLOSE days').catch(() => undefined)
  }
}

/** Opens the store for reading days while another process may write it; also on a replica. */
export const openPostgresDays = async (url: string): Promise<Outcome<DayStore, string>> => {
  const found = await checkPostgresSchema({ url })
  if (!found.ok) return found
  return success({
    snapshot: (use) =>
      withClient(url, async (client) => {
        await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
        const session = createSession(client)
        const reads = createSnapshotReads(session, queries, (pages) => readPages(pageRows, pages))
        return use({
          header: async () => reads.header(),
          pools: reads.pools,
          tokens: reads.tokens,
          stocksChangedAfter: async (revision) => reads.stocksChangedAfter(revision),
          rows: (table, span) => pagesOf(client, dayQuery(table, span, dialect)),
          ...createDayReads(session, firstTsQueries(queries)),
        })
      }),
    close: async () => {},
  })
}
