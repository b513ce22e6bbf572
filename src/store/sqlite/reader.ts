import type { StoreReader, StoreWriter } from '../../ports/store.ts'
import type { Mutex } from '../../util/mutex.ts'
import { createSnapshotReads, createTableReads } from '../shared/reads.ts'
import { readPages, withSnapshot } from '../shared/snapshot.ts'
import type { Connection } from './connection.ts'
import { hexQueries } from './hex-queries.ts'

/** Small enough that a page does not survive a minor garbage collection. */
const pageRows = 200

/** Snapshots of one connection run one after the other; several connections run in parallel. */
export const createReader = (connection: Connection, mutex: Mutex): StoreReader => {
  const reads = createSnapshotReads(connection, hexQueries, (pages) => readPages(pageRows, pages))
  return {
    snapshot: (use) => mutex(() => connection.read(() => withSnapshot(reads, use))),
  }
}

/** Reads of complete tables at start: on the writer's connection its cache would keep them. */
export const createStartupReads = (
  connection: Connection,
  mutex: Mutex,
): Pick<StoreWriter, 'readTokens' | 'readPools' | 'readTicks'> =>
  createTableReads((work) => mutex(() => work(connection)), hexQueries, pageRows)
