import type { Pool } from 'pg'
import type { StoreReader } from '../../ports/store.ts'
import { queries } from '../shared/queries.ts'
import { createSnapshotReads, type Paging } from '../shared/reads.ts'
import { prefetchNext, readPages, withSnapshot } from '../shared/snapshot.ts'
import type { TableLayout } from './schema.ts'
import { createSession } from './session.ts'

/** More callers than this that wait for a connection mean that something is stuck. */
const waitingMax = 1_000

const begin = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY'

/**
 * Days that are forgotten are dropped, which no snapshot would notice: they wait for those that
 * have begun. Before the snapshot is taken, as the first statement that reads takes it.
 */
const beginBeforeDrops = `${begin};
  LOCK TABLE ONLY swaps, ONLY candles_minutes, ONLY reference_points_minutes IN ACCESS SHARE MODE`

/** As long as it takes to take in one of these, a page is under way on a line of 20 ms. */
const pageRows = 1_000

/** Each page is on its way while the one before is taken in. */
const paging: Paging = (pages) => prefetchNext(readPages(pageRows, pages))

/** Each snapshot on a connection of its own. */
export const createReader = (pool: Pool, layout: TableLayout): StoreReader => {
  const beginText = layout === 'in-days' ? beginBeforeDrops : begin
  return {
    snapshot: async (use) => {
      if (pool.waitingCount >= waitingMax) {
        throw new Error(`store: ${waitingMax} callers wait for a connection`)
      }
      const client = await pool.connect()
      let isBroken = true
      try {
        await client.query(beginText)
        const reads = createSnapshotReads(createSession(client), queries, paging)
        const result = await withSnapshot(reads, use)
        await client.query('ROLLBACK')
        isBroken = false
        return result
      } finally {
        client.release(isBroken)
      }
    },
  }
}
