import type { Pool } from 'pg'
import type { StoreReader } from '../../ports/store.ts'
import { queries } from '../shared/queries.ts'
import { createSnapshotReads, type Paging } from '../shared/reads.ts'
import { prefetchNext, readPages, withSnapshot } from '../shared/snapshot.ts'
import type { TableLayout } from './schema.ts'
import { createSession } from './session.ts'

/** More waiting callers mean that the connections are stuck. */
const waitingMax = 1_000

const begin = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY'

/**
 * A dropped partition disappears even from open snapshots, so a snapshot locks the tables against
 * drops. The lock precedes the first read, which takes the snapshot.
 */
const beginBeforeDrops = `${begin};
  LOCK TABLE ONLY swaps, ONLY candles_minutes, ONLY reference_points_minutes IN ACCESS SHARE MODE`

/** Converting a page takes about as long as a round trip of 20 ms. */
const pageRows = 1_000

const paging: Paging = (pages) => prefetchNext(readPages(pageRows, pages))

/** Each snapshot uses its own connection. */
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
