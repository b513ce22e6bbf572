import type { StoreReader } from '../../ports/store.ts'
import { lendSnapshot } from '../shared/snapshot.ts'
import type { Turns } from '../shared/turns.ts'
import type { Connection } from './connection.ts'
import { createReads } from './reads.ts'

/** Snapshots on one connection follow each other; more connections read side by side. */
export const createReader = (connection: Connection, turns: Turns): StoreReader => {
  const reads = createReads(connection)
  return {
    snapshot: (use) => turns(() => connection.read(() => lendSnapshot(reads, use))),
  }
}
