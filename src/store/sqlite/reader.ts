import type { StoreReader } from '../../ports/store.ts'
import type { Mutex } from '../../util/mutex.ts'
import { lendSnapshot } from '../shared/snapshot.ts'
import type { Connection } from './connection.ts'
import { createReads } from './reads.ts'

/** Snapshots on one connection follow each other; more connections read side by side. */
export const createReader = (connection: Connection, mutex: Mutex): StoreReader => {
  const reads = createReads(connection)
  return {
    snapshot: (use) => mutex(() => connection.read(() => lendSnapshot(reads, use))),
  }
}
