import { isSameChain } from '../../domain/chain/chain-identity.ts'
import type { TrustedToken } from '../../domain/token/trusted-token.ts'
import type { StoreReader, StoreSnapshot } from '../../ports/store.ts'
import type { IndexHeader } from '../../ports/store-batches.ts'
import { createMutex } from '../../util/mutex.ts'
import type { ReadModel, StoreChanges } from '../model/read-model.ts'
import { createModelBuilder, type ModelBuilder } from '../model/read-model.ts'
import { createVolumeFiltering, type VolumeFiltering } from '../model/volume-filtering.ts'
import { readVolumeChange } from '../model/volume-windows.ts'
import { isSameHistory, isSameWriter } from './history.ts'

/**
 * `unclaimed`: no indexer has written a header yet. `outdated`: another call has already seen a
 * later revision than this snapshot's.
 */
type AdvanceResult = ReadModel | 'unclaimed' | 'outdated'

/** Keeps the read model at the store's revision; each read advances it. */
export type StoreSync = {
  readonly model: () => ReadModel | null
  /**
   * Reads from a snapshot with the model of exactly its revision. Returns null until an indexer
   * writes a header; rejects if the store cannot be read.
   */
  readonly read: <T>(
    read: (snapshot: StoreSnapshot, model: ReadModel) => Promise<T>,
  ) => Promise<T | null>
}

/** Attempts to get a snapshot that is not outdated. */
const snapshotTriesMax = 10

/** Below every revision. */
const noRevision = -1

/**
 * Whether this is an earlier state of the same store, as a lagging replica returns it. A recreated
 * store also has lower revisions, but a later writer.
 */
const isEarlier = (before: IndexHeader, header: IndexHeader): boolean =>
  isSameChain(before.identity, header.identity) &&
  header.revision < before.revision &&
  (header.writerStartedTs ?? 0) <= (before.writerStartedTs ?? 0)

const readChanges = async (
  snapshot: StoreSnapshot,
  header: IndexHeader,
  {
    before,
    filtering,
  }: { readonly before: IndexHeader | null; readonly filtering: VolumeFiltering },
): Promise<StoreChanges> => {
  const isAll = before === null
  const revision = before?.revision ?? noRevision
  return {
    header,
    isFirst: isAll,
    allPools: snapshot.pools,
    tokensOf: (pool) => snapshot.tokensOfPools({ from: pool, to: pool }),
    pools: isAll ? snapshot.pools() : [await snapshot.poolsChangedAfter(revision)],
    tokens: isAll ? snapshot.tokens() : [await snapshot.tokensChangedAfter(revision)],
    stocks: await snapshot.stocksChangedAfter(revision),
    quotes: await snapshot.quotes(),
    reserves: await snapshot.reserves(),
    sources: await snapshot.sources(),
    searches: await snapshot.searches(),
    volume: await readVolumeChange(snapshot, header, before),
    filtered: await filtering.read(snapshot, header),
  }
}

export const createStoreSync = ({
  store,
  trusted,
  hasOneCopy = false,
  hasTraders = false,
  emptyPoolsMax,
}: {
  readonly store: StoreReader
  readonly trusted: readonly TrustedToken[]
  /** The store has no replica that could replace it with fewer revisions. */
  readonly hasOneCopy?: boolean
  /** The indexer reads who sends the transactions of swaps. */
  readonly hasTraders?: boolean
  readonly emptyPoolsMax?: number | undefined
}): StoreSync => {
  const mutex = createMutex()
  let model: ReadModel | null = null
  /** Builder of `model`; null if it cannot be continued. */
  let builder: ModelBuilder | null = null
  let filtering = createVolumeFiltering(hasTraders)

  /** Whether reading the changes since `before` is enough. */
  const isContinued = (before: IndexHeader, header: IndexHeader): boolean =>
    before.epoch === header.epoch && isSameHistory(before, header, hasOneCopy)

  const buildModel = async (snapshot: StoreSnapshot, header: IndexHeader): Promise<ReadModel> => {
    const canContinue = builder !== null && model !== null && isContinued(model.header, header)
    const before = canContinue ? model : null
    if (!canContinue) filtering = createVolumeFiltering(hasTraders)
    const given = { before: before?.header ?? null, filtering }
    const changes = await readChanges(snapshot, header, given)
    const next = (canContinue ? builder : null) ?? createModelBuilder(trusted, emptyPoolsMax)
    // A builder that throws has applied half of the changes: the next call starts from scratch.
    builder = null
    model = await next.apply(changes)
    builder = next
    return model
  }

  const advance = async (snapshot: StoreSnapshot): Promise<AdvanceResult> => {
    const header = await snapshot.header()
    if (header === null) return 'unclaimed'
    if (model !== null) {
      if (isEarlier(model.header, header)) return 'outdated'
      const isSame = header.revision === model.header.revision && isSameWriter(model.header, header)
      const isDone = isSame && isContinued(model.header, header)
      if (isDone && !filtering.isBehind()) return model
    }
    return buildModel(snapshot, header)
  }

  return {
    model: () => model,
    read: async (read) => {
      for (let tries = 0; tries < snapshotTriesMax; tries++) {
        const result = await store.snapshot(async (snapshot) => {
          const reached = await mutex(() => advance(snapshot))
          if (reached === 'unclaimed' || reached === 'outdated') return { reached }
          return { reached: 'model', value: await read(snapshot, reached) } as const
        })
        if (result.reached === 'model') return result.value
        if (result.reached === 'unclaimed') return null
      }
      throw new Error(`store: ${snapshotTriesMax} consecutive snapshots were outdated`)
    },
  }
}
