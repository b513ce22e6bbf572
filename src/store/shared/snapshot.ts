import type { StoreSnapshot } from '../../ports/store.ts'

/** A store's reads, at once or later. */
export type SnapshotReads = {
  readonly [Name in keyof StoreSnapshot]: (
    ...given: Parameters<StoreSnapshot[Name]>
  ) => ReturnType<StoreSnapshot[Name]> | Awaited<ReturnType<StoreSnapshot[Name]>>
}

/** The reads of one snapshot; kept beyond its end they would see another state, so they refuse. */
const openSnapshot = (reads: SnapshotReads) => {
  let hasEnded = false
  const guarded =
    <Given extends unknown[], Result>(read: (...given: Given) => Result | Promise<Result>) =>
    async (...given: Given): Promise<Result> => {
      if (hasEnded) throw new Error('store: this snapshot has ended')
      return read(...given)
    }
  const snapshot: StoreSnapshot = {
    header: guarded(reads.header),
    pools: guarded(reads.pools),
    tokens: guarded(reads.tokens),
    poolsChangedAfter: guarded(reads.poolsChangedAfter),
    tokensChangedAfter: guarded(reads.tokensChangedAfter),
    stocksChangedAfter: guarded(reads.stocksChangedAfter),
    quotes: guarded(reads.quotes),
    reserves: guarded(reads.reserves),
    sources: guarded(reads.sources),
    searched: guarded(reads.searched),
    volume: guarded(reads.volume),
    hourlyVolume: guarded(reads.hourlyVolume),
    candles: guarded(reads.candles),
    swaps: guarded(reads.swaps),
    references: guarded(reads.references),
  }
  const end = (): void => {
    hasEnded = true
  }
  return { snapshot, end }
}

/** Lends the reads for as long as `use` takes. */
export const lendSnapshot = async <T>(
  reads: SnapshotReads,
  use: (snapshot: StoreSnapshot) => Promise<T>,
): Promise<T> => {
  const { snapshot, end } = openSnapshot(reads)
  try {
    return await use(snapshot)
  } finally {
    end()
  }
}
