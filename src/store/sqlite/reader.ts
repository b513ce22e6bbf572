import type { StoreReader, StoreSnapshot } from '../../ports/store.ts'
import type { Connection } from './connection.ts'
import { createReads, type Reads } from './reads.ts'
import type { Turns } from './turns.ts'

/** The reads of one snapshot; kept beyond its end they would see another state, so they refuse. */
const openSnapshot = (reads: Reads) => {
  let hasEnded = false
  const guarded =
    <Given extends unknown[], Result>(read: (...given: Given) => Result) =>
    async (...given: Given): Promise<Result> => {
      if (hasEnded) throw new Error('store: this snapshot has ended')
      return read(...given)
    }
  const snapshot: StoreSnapshot = {
    header: guarded(reads.header),
    poolsChangedAfter: guarded(reads.poolsChangedAfter),
    tokensChangedAfter: guarded(reads.tokensChangedAfter),
    stocksChangedAfter: guarded(reads.stocksChangedAfter),
    quotes: guarded(reads.quotes),
    reserves: guarded(reads.reserves),
    sources: guarded(reads.sources),
    searched: guarded(reads.searched),
    volume: guarded(reads.volume),
    candles: guarded(reads.candles),
    swaps: guarded(reads.swaps),
    references: guarded(reads.references),
  }
  const end = (): void => {
    hasEnded = true
  }
  return { snapshot, end }
}

/** Snapshots on one connection follow each other; more connections read side by side. */
export const createReader = (connection: Connection, turns: Turns): StoreReader => {
  const reads = createReads(connection)
  return {
    snapshot: (read) =>
      turns(() =>
        connection.read(async () => {
          const { snapshot, end } = openSnapshot(reads)
          try {
            return await read(snapshot)
          } finally {
            end()
          }
        }),
      ),
  }
}
