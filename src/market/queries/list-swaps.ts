import type { BlockRef } from '../../domain/chain/block-ref.ts'
import { type Outcome, success } from '../../domain/outcome.ts'
import type { EventPlace } from '../../domain/pool/pool-event.ts'
import type { PoolNumber } from '../../domain/pool/pool-state.ts'
import { microPerUsd, type StoredSwap } from '../../domain/pool/stored-rows.ts'
import type { IndexGap } from '../../domain/series/fill-buckets.ts'
import type { Stock } from '../../domain/stock/stock.ts'
import { secondsPerHour } from '../../domain/time.ts'
import type { UnixSeconds } from '../../domain/units.ts'
import { toSwapView } from '../../domain/valuation/value-swap.ts'
import type { PastSwapView } from '../../domain/views/history.ts'
import type { StoreSnapshot } from '../../ports/store.ts'
import type { IndexHeader } from '../../ports/store-batches.ts'
import type { StoredSwapFilter } from '../../ports/store-history.ts'
import type { EventFault, SwapFilter, SwapPage, SwapQuery } from '../history.ts'
import { getByNumber, iterateValues } from '../model/chunked-table.ts'
import { type ListedPool, stockTokenOf, toSwapViewPool } from '../model/model-pool.ts'
import type { ReadModel } from '../model/read-model.ts'
import { findEventWindow, toNextCursor } from './event-window.ts'
import { mergeRows, type ReadRows, type ScannedPage, takeMatching, takeOf } from './scan-events.ts'
import { gapsOf } from './series.ts'

/** Rows that one request reads at most; then its page ends early. */
const scannedMax = 2_000
/** Rows that the store searches for one request at most. */
const searchedMax = 4_000
/** Rows of one read where a filter may leave out many of them. */
const filteredChunkRows = 500
/** Of more pools the swaps of all are searched. */
const mergedPoolsMax = 16
/** Of each of several pools at least so many are read at once. */
const mergedRowsMin = 8

export const noSwaps: SwapPage = { items: [], next: null, asOfBlock: null, complete: false }

/** Null: all pools. */
type Traded = readonly ListedPool[] | null

/** The swaps of a list: of these pools, or of all that are listed. */
type Scope = { readonly pools: readonly ListedPool[] } | 'all'

const isFiltered = ({ side, minUsd, trader, sender }: SwapFilter): boolean =>
  [side, minUsd, trader, sender].some((value) => value !== null)

const matches = (swap: PastSwapView, { side, minUsd, trader, sender }: SwapFilter): boolean =>
  (side === null || swap.side === side) &&
  (trader === null || swap.trader === trader) &&
  (sender === null || swap.sender === sender) &&
  (minUsd === null || (swap.amountUsd !== null && swap.amountUsd >= minUsd))

const toPastSwap = (swap: StoredSwap, pool: ListedPool, model: ReadModel): PastSwapView => ({
  ...toSwapView(swap, toSwapViewPool(pool)),
  poolId: pool.id,
  stockSymbol: model.stocks.get(stockTokenOf(pool).address)?.symbol ?? '',
  txIndex: swap.txIndex,
  trader: swap.trader,
  settled: swap.block <= (model.header.finalizedCursor?.block ?? -1),
})

/** Whether a pool may have swaps where the request asks for them. */
const mayTrade = (
  { createdTs, lastSwapTs }: ListedPool,
  { cursor, fromTs, toTs, order }: SwapQuery,
): boolean => {
  const first = Math.max(fromTs ?? 0, order === 'asc' ? (cursor?.ts ?? 0) : 0)
  const last = Math.min(toTs ?? Infinity, order === 'desc' ? (cursor?.ts ?? Infinity) : Infinity)
  return lastSwapTs !== null && lastSwapTs >= first && createdTs <= last
}

type Found = ScannedPage<StoredSwap, PastSwapView>

type Match = (swap: StoredSwap) => PastSwapView | null

/** What the store filters by; a side depends on the pool, and `match` has the last word. */
const toStoredFilter = (
  { minUsd, trader, sender }: SwapFilter,
  pools: readonly ListedPool[] | null,
): StoredSwapFilter => ({
  pools: pools === null ? null : pools.map(({ number }) => number),
  usdMicroMin:
    minUsd === null
      ? null
      : Math.min(Math.max(Math.floor(minUsd * microPerUsd) - 1, 0), Number.MAX_SAFE_INTEGER),
  trader,
  sender,
})

type Reading = {
  readonly query: SwapQuery
  readonly after: EventPlace | null
  readonly match: Match
}

/** In one search by the store, which returns the few swaps that may match. */
const findSwaps = async (
  snapshot: StoreSnapshot,
  { pool, pools }: { readonly pool: PoolNumber | null; readonly pools: Traded },
  { query, after, match }: Reading,
): Promise<Found> => {
  const { fromTs, toTs, order, limit, side } = query
  // A side may leave out any number of what the store finds.
  const rowsMax = side === null ? limit + 1 : searchedMax
  const filter = toStoredFilter(query, pools)
  const span = { after, fromTs, toTs, order, rowsMax, searchedMax }
  const found = await snapshot.searchSwaps({ pool, filter, ...span })
  const swaps = found.map(({ swap }) => swap)
  const page = takeOf(swaps, match, limit)
  const isCut = found.length === rowsMax || found.at(-1)?.place === searchedMax
  return page.last === null && isCut ? { ...page, last: swaps.at(-1) ?? null } : page
}

/** In chain order out of one read for each pool, or of one of the swaps of all. */
const mergeSwaps = (
  snapshot: StoreSnapshot,
  pools: Traded,
  { query, after, match }: Reading,
): Promise<Found> => {
  const { fromTs, toTs, order, limit } = query
  const wanted = isFiltered(query) ? filteredChunkRows : limit + 1
  const readOf =
    (pool: PoolNumber | null): ReadRows<StoredSwap> =>
    (after, rowsMax) =>
      snapshot.swapPage({ pool, after, fromTs, toTs, order, rowsMax })
  const reads = pools === null ? [readOf(null)] : pools.map(({ number }) => readOf(number))
  const share = Math.max(mergedRowsMin, Math.ceil((2 * wanted) / reads.length))
  const chunkRows = reads.length === 1 ? wanted : share
  const rows = mergeRows(reads, { after, order, chunkRows })
  return takeMatching(rows, match, { limit, scannedMax })
}

const readMatching = (snapshot: StoreSnapshot, scope: Scope, reading: Reading): Promise<Found> => {
  const pools = scope === 'all' ? null : scope.pools.filter((pool) => mayTrade(pool, reading.query))
  if (pools !== null && pools.length > mergedPoolsMax) {
    return findSwaps(snapshot, { pool: null, pools }, reading)
  }
  const isSingle = pools === null || pools.length === 1
  return isSingle && isFiltered(reading.query)
    ? findSwaps(snapshot, { pool: pools?.[0]?.number ?? null, pools: null }, reading)
    : mergeSwaps(snapshot, pools, reading)
}

/** The first gap of these pools: it ends at the same time for all that have one. */
const findGaps = (pools: Iterable<ListedPool>, header: IndexHeader): readonly IndexGap[] => {
  for (const pool of pools) {
    const gaps = gapsOf(header, pool)
    if (gaps.length > 0) return gaps
  }
  return []
}

/**
 * Since when the swaps of a list are kept. Of one pool, hours without a swap, which are never
 * deleted, say that nothing of it was.
 */
const readKeptSince = async (
  snapshot: StoreSnapshot,
  scope: Scope,
  { swapsKeptSince }: IndexHeader,
): Promise<UnixSeconds> => {
  const [pool, ...others] = scope === 'all' ? [] : scope.pools
  if (swapsKeptSince === null || pool === undefined || others.length > 0) return swapsKeptSince ?? 0
  const before = { fromTs: 0, toTs: swapsKeptSince - 1, order: 'asc', rowsMax: 1 } as const
  const hours = { pool: pool.number, width: secondsPerHour, ...before } as const
  return (await snapshot.tradedCandles(hours)).length === 0 ? 0 : swapsKeptSince
}

const toKept = (
  scope: Scope,
  { header, pools }: ReadModel,
  { cursor, keptSince }: { readonly cursor: BlockRef; readonly keptSince: UnixSeconds },
) => {
  const listed = scope === 'all' ? iterateValues(pools) : scope.pools
  const created = scope === 'all' ? [0] : scope.pools.map(({ createdTs }) => createdTs)
  return {
    keptSince,
    gaps: header.backfillCursor === null ? [] : findGaps(listed, header),
    createdTs: created.reduce((least, ts) => Math.min(least, ts), cursor.ts),
    asOfTs: cursor.ts,
  }
}

/** One page of swaps in chain order, from a bounded number of rows wherever it lies. */
export const readSwaps = async (
  snapshot: StoreSnapshot,
  scope: Scope,
  { model, query }: { readonly model: ReadModel; readonly query: SwapQuery },
): Promise<Outcome<SwapPage, EventFault>> => {
  const { cursor } = model.header
  if (cursor === null) return success(noSwaps)
  const keptSince = await readKeptSince(snapshot, scope, model.header)
  const kept = toKept(scope, model, { cursor, keptSince })
  const window = await findEventWindow(query, kept, {
    block: snapshot.block,
    next: async (after) => {
      const none = { pool: null, fromTs: null, toTs: null }
      const [next] = await snapshot.swapPage({ ...none, after, order: 'asc', rowsMax: 1 })
      return next
    },
  })
  if (!window.ok) return window
  const { after, complete } = window.value
  const match = (swap: StoredSwap): PastSwapView | null => {
    const pool = getByNumber(model.pools, swap.pool)
    if (pool === undefined) return null
    const view = toPastSwap(swap, pool, model)
    return matches(view, query) ? view : null
  }
  const { items, last } = await readMatching(snapshot, scope, { query, after, match })
  const next = await toNextCursor(snapshot, last)
  return success({ items, next, asOfBlock: cursor.block, complete })
}

/** The pools that hold a stock and have swaps. */
export const findTradedPools = ({ address }: Stock, model: ReadModel): Scope => ({
  pools: model.numbersWith(address).flatMap((number) => getByNumber(model.pools, number) ?? []),
})
