import { isSameChain } from '../../domain/chain/chain-identity.ts'
import type { TrustedToken } from '../../domain/token/trusted-token.ts'
import type { StoreReader, StoreSnapshot } from '../../ports/store.ts'
import type { IndexHeader } from '../../ports/store-batches.ts'
import { createMutex } from '../../util/mutex.ts'
import type { ReadModel, StoreChanges } from '../model/read-model.ts'
import { createModelBuilder, type ModelBuilder } from '../model/read-model.ts'
import { readVolumeChange } from '../model/volume-windows.ts'

/**
 * `unclaimed`: no indexer has begun with the store yet. `outdated`: another caller has meanwhile
 * seen a later revision than this snapshot's.
 */
type Advance = ReadModel | 'unclaimed' | 'outdated'

/** Keeps a model of the store, brought forward by whoever reads from it. */
export type StoreSync = {
  readonly model: () => ReadModel | null
  /**
   * Reads from a snapshot of the store together with the model of exactly its revision; null while
   * no indexer has begun with the store. Rejects if the store can not be read.
   */
  readonly read: <T>(
    read: (snapshot: StoreSnapshot, model: ReadModel) => Promise<T>,
  ) => Promise<T | null>
}

/** Snapshots in a row that another caller may overtake. */
const snapshotTriesMax = 10

/** Everything: no revision is lower. */
const beginning = -1

const isSameWriter = (a: IndexHeader, b: IndexHeader): boolean =>
  a.writerStartedTs === b.writerStartedTs

/**
 * Whether this is the same store at an earlier moment, as a replica that lags behind another shows
 * it. A store that is begun anew counts from the beginning as well, but its writer is a later one.
 */
const isEarlier = (before: IndexHeader, header: IndexHeader): boolean =>
  isSameChain(before.identity, header.identity) &&
  header.revision < before.revision &&
  (header.writerStartedTs ?? 0) <= (before.writerStartedTs ?? 0)

const readChanges = async (
  snapshot: StoreSnapshot,
  header: IndexHeader,
  before: IndexHeader | null,
): Promise<StoreChanges> => {
  const isAll = before === null
  const revision = before?.revision ?? beginning
  return {
    header,
    pools: isAll ? snapshot.pools() : [await snapshot.poolsChangedAfter(revision)],
    tokens: isAll ? snapshot.tokens() : [await snapshot.tokensChangedAfter(revision)],
    stocks: await snapshot.stocksChangedAfter(revision),
    quotes: await snapshot.quotes(),
    reserves: await snapshot.reserves(),
    sources: await snapshot.sources(),
    volume: await readVolumeChange(snapshot, header, before),
  }
}

export const createStoreSync = ({
  store,
  trusted,
  hasOneCopy = false,
}: {
  readonly store: StoreReader
  readonly trusted: readonly TrustedToken[]
  /** No other copy of the store can take its place, as a replica takes that of its primary. */
  readonly hasOneCopy?: boolean
}): StoreSync => {
  const mutex = createMutex()
  let model: ReadModel | null = null
  /** What the model was made of; null if it can not be carried on. */
  let book: ModelBuilder | null = null

  /**
   * Whether what was read before still stands, so that what has changed since is all there is. A
   * writer that began since may have begun with less: on a replica that took its primary's place
   * revisions that were lost are given to other changes.
   */
  const isContinued = (before: IndexHeader, header: IndexHeader): boolean =>
    isSameChain(before.identity, header.identity) &&
    before.epoch === header.epoch &&
    (isSameWriter(before, header) || (hasOneCopy && before.revision <= header.revision))

  const follow = async (snapshot: StoreSnapshot, header: IndexHeader): Promise<ReadModel> => {
    const isCarriedOn = book !== null && model !== null && isContinued(model.header, header)
    const before = isCarriedOn ? model : null
    const changes = await readChanges(snapshot, header, before?.header ?? null)
    const next = (isCarriedOn ? book : null) ?? createModelBuilder(trusted)
    // Should it throw, it holds half of the changes: the next one starts from nothing.
    book = null
    model = await next.apply(changes)
    book = next
    return model
  }

  const advance = async (snapshot: StoreSnapshot): Promise<Advance> => {
    const header = await snapshot.header()
    if (header === null) return 'unclaimed'
    if (model !== null) {
      if (isEarlier(model.header, header)) return 'outdated'
      const isSame = header.revision === model.header.revision && isSameWriter(model.header, header)
      if (isSame && isContinued(model.header, header)) return model
    }
    return follow(snapshot, header)
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
      throw new Error(`store: ${snapshotTriesMax} snapshots in a row were of an earlier state`)
    },
  }
}
