import { isEmptyPool, type PoolNumber } from '../../domain/pool/pool-state.ts'
import type { Quote } from '../../domain/price/quote.ts'
import type { PoolSearch } from '../../domain/status/pool-search.ts'
import type { SourceRecord } from '../../domain/status/source-state.ts'
import { type Stock, withPassTime } from '../../domain/stock/stock.ts'
import type { TrustedToken } from '../../domain/token/trusted-token.ts'
import type { Address, PoolId, UnixSeconds } from '../../domain/units.ts'
import type {
  ExternalReserve,
  IndexHeader,
  StoredPool,
  StoredToken,
} from '../../ports/store-batches.ts'
import { createTimeSlicer, runInSlices } from '../../util/time-slice.ts'
import { editTable, getByNumber, type PoolTable } from './chunked-table.ts'
import { createEmptyIndex, type Pages } from './empty-index.ts'
import type { EmptyPools } from './empty-pools.ts'
import { createExternalDataIndex } from './external-data.ts'
import { isListed, type ListedPool, type ModelPool } from './model-pool.ts'
import { createPoolListing } from './pool-listing.ts'
import { createTokenIndex, type TokenNames } from './token-index.ts'
import type { FilteredVolumes } from './volume-filtering.ts'
import type { VolumeChange } from './volume-windows.ts'
import { createVolumes } from './volumes.ts'

/** The store at one revision, as the API needs it. Immutable; each revision gets a new model. */
export type ReadModel = {
  readonly header: IndexHeader
  /** Listed pools only. */
  readonly pools: PoolTable<ListedPool>
  /** The listed pools that stay in the store: empty ones beyond `heldEmptyPoolsMax`. */
  readonly empties: EmptyPools
  /** Lists a pool that is not in memory; null if it holds no verified stock. */
  readonly listStored: (pool: StoredPool, tokens: readonly StoredToken[]) => ListedPool | null
  /** What a token is searched by; of a token that is not in memory, from its stored row. */
  readonly tokenText: (address: Address, stored: StoredToken | undefined) => string
  readonly names: TokenNames
  readonly stocks: ReadonlyMap<Address, Stock>
  readonly quotes: ReadonlyMap<Address, readonly Quote[]>
  readonly sources: readonly SourceRecord[]
  readonly searches: readonly PoolSearch[]
  /** May include pools of later revisions: `pools` decides what exists. */
  readonly numberOf: (id: PoolId) => PoolNumber | undefined
  /** Numbers of the pools that hold this token; the same restriction applies. */
  readonly numbersWith: (address: Address) => readonly PoolNumber[]
}

/** Changes of the store since a revision. */
export type StoreChanges = {
  readonly header: IndexHeader
  /** Nothing was applied before: `pools` and `tokens` are all rows. */
  readonly isFirst: boolean
  readonly pools: Pages<StoredPool>
  readonly tokens: Pages<StoredToken>
  /** All rows, for a caller whose classification of empty pools has changed. */
  readonly allPools: () => Pages<StoredPool>
  readonly tokensOf: (pool: PoolNumber) => Promise<readonly StoredToken[]>
  readonly stocks: readonly Stock[]
  /** All rows, not only changed ones; so are reserves and sources. */
  readonly quotes: readonly Quote[]
  readonly reserves: readonly ExternalReserve[]
  readonly sources: readonly SourceRecord[]
  readonly searches: readonly PoolSearch[]
  readonly volume: VolumeChange
  readonly filtered: FilteredVolumes
}

/** Accumulates everything read from the store. One caller at a time; readers only get models. */
export type ModelBuilder = {
  /** Returns the next model. Yields to the event loop during large changes. */
  readonly apply: (changes: StoreChanges) => Promise<ReadModel>
}

/**
 * About a millisecond of work on a free core. During a backfill no core is free: slices of 1,000
 * pools raised the p99 of requests from 15 to 21 ms.
 */
const poolsPerSlice = 300

/**
 * So many empty pools are held like all others, in their exact order; beyond, an attacker who
 * creates a million costs only what the columns of `EmptyPools` take.
 */
const heldEmptyPoolsMax = 10_000

export const createModelBuilder = (
  trustedTokens: readonly TrustedToken[],
  emptyPoolsMax = heldEmptyPoolsMax,
): ModelBuilder => {
  const tokens = createTokenIndex(trustedTokens)
  const numbers = new Map<PoolId, PoolNumber>()
  /** Pools without a verified stock, such as pricing pools of a trusted token. */
  const unlisted = new Map<PoolNumber, ModelPool>()
  const volumes = createVolumes()
  const external = createExternalDataIndex()
  const empties = createEmptyIndex(tokens, (id) => numbers.has(id))
  let heldEmptyPools = 0
  const listing = createPoolListing({
    tokens,
    volumeOf: volumes.get,
    externalOf: external.get,
  })
  let pools: PoolTable<ListedPool> = []

  /** A pool in memory stays there, whatever becomes of it. */
  const staysInStore = (pool: StoredPool): boolean => {
    if (!isEmptyPool(pool) || numbers.has(pool.id)) return false
    if (heldEmptyPools >= emptyPoolsMax) return true
    heldEmptyPools += 1
    return false
  }

  const register = async ({ number, id, key }: StoredPool, changes: StoreChanges) => {
    if (numbers.has(id)) return
    const unread = [key.token0, key.token1].filter((token) => !tokens.isRead(token))
    numbers.set(id, number)
    tokens.addPool(number, key)
    // The rows of all tokens follow the first pools; later, only changed tokens were read.
    if (changes.isFirst || unread.length === 0) return
    const rows = await changes.tokensOf(number)
    tokens.applyTokens(rows.filter(({ address }) => unread.includes(address)))
  }

  const applyTokens = async (changes: StoreChanges, affected: Set<PoolNumber>): Promise<void> => {
    for await (const page of changes.tokens) {
      for (const number of tokens.applyTokens(page)) affected.add(number)
      empties.touchTokens(page.map(({ address }) => address))
    }
  }

  /** Applies everything but pool rows and returns the pools whose listing may change. */
  const applyListingChanges = async (changes: StoreChanges): Promise<Set<PoolNumber>> => {
    const verified = [...tokens.stocks.keys()].filter(tokens.roles.isStock)
    const affected = new Set(tokens.applyStocks(changes.stocks))
    const renamed = tokens.applyNames()
    if (renamed !== null) for (const number of await runInSlices(renamed)) affected.add(number)
    const isSame = verified.length === [...tokens.stocks.keys()].filter(tokens.roles.isStock).length
    if (!changes.isFirst) {
      await applyTokens(changes, affected)
      if (!isSame || !verified.every(tokens.roles.isStock)) {
        for (const number of await empties.relist(changes)) affected.add(number)
      }
    }
    for (const number of volumes.apply(changes)) affected.add(number)
    for (const number of external.replace(changes.reserves)) affected.add(number)
    for (const number of listing.applyHeader(changes.header)) affected.add(number)
    return affected
  }

  const stocksAt = (passTs: UnixSeconds | null): ReadonlyMap<Address, Stock> =>
    new Map([...tokens.stocks].map(([address, stock]) => [address, withPassTime(stock, passTs)]))

  return {
    apply: async (changes) => {
      const slicer = createTimeSlicer(poolsPerSlice)
      const affected = await applyListingChanges(changes)
      const next = editTable(pools)
      const put = (pool: ModelPool): Promise<void> | undefined => {
        if (isListed(pool)) unlisted.delete(pool.number)
        else unlisted.set(pool.number, pool)
        next.set(pool.number, isListed(pool) ? pool : undefined)
        affected.delete(pool.number)
        return slicer.step()
      }
      for await (const page of changes.pools) {
        for (const pool of page) {
          if (staysInStore(pool)) {
            empties.put(pool)
            continue
          }
          empties.remove(pool.number)
          if (!numbers.has(pool.id)) await register(pool, changes)
          const pause = put(listing.list(pool))
          if (pause !== undefined) await pause
        }
      }
      if (changes.isFirst) for await (const page of changes.tokens) tokens.fillTokens(page)
      for (const number of affected) {
        const pool = getByNumber(pools, number) ?? unlisted.get(number)
        if (pool === undefined) continue
        const pause = put(listing.relist(pool))
        if (pause !== undefined) await pause
      }
      pools = next.finish()
      return {
        header: changes.header,
        pools,
        empties: empties.finish(),
        listStored: listing.listStored,
        tokenText: (address, stored) => tokens.infoFrom(address, stored).text,
        names: tokens.names,
        stocks: stocksAt(changes.header.stocksReadTs),
        quotes: Map.groupBy(changes.quotes, (quote) => quote.address),
        sources: changes.sources,
        searches: changes.searches,
        numberOf: (id) => numbers.get(id),
        numbersWith: tokens.numbersWith,
      }
    },
  }
}
