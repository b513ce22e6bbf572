import type { StoreReader, StoreWriter } from '../../ports/store.ts'
import type { Mutex } from '../../util/mutex.ts'
import { createSnapshotReads, createTableReads } from '../shared/reads.ts'
import { readPages, withSnapshot } from '../shared/snapshot.ts'
import type { Connection } from './connection.ts'
import { hexQueries } from './hex-queries.ts'

/** So few that nothing of a page grows old, which is only collected much later. */
const pageRows = 200

/** Snapshots on one connection follow each other; more connections read side by side. */
export const createReader = (connection: Connection, mutex: Mutex): StoreReader => {
  const reads = createSnapshotReads(connection, hexQueries, (pages) => readPages(pageRows, pages))
  return {
    snapshot: (use) => mutex(() => connection.read(() => withSnapshot(reads, use))),
  }
}

/** What is read whole, once: not by the writer, whose cache would go on holding all of it. */
export const createStartupReads = (
  connection: Connection,
  mutex: Mutex,
): Pick<StoreWriter, 'readTokens' | 'readPools' | 'readTicks'> =>
  createTableReads((work) => mutex(() => work(connection)), hexQueries, pageRows)
