import { logIndexMax } from '../../domain/pool/stored-rows.ts'
import type { BlockNumber } from '../../domain/units.ts'
import type { StoreSnapshot } from '../../ports/store.ts'
import type { EventPageQuery, TouchedPool } from '../../ports/store-history.ts'
import { hex, integer, orNull } from './codec.ts'
import { blockNumbers, pricedChanges } from './past-shapes.ts'
import type { Queries } from './queries.ts'
import type { Parameter, Session, Shape } from './session.ts'
import { foundSwaps } from './swap-search.ts'
import { swaps } from './tables.ts'

/* Pages of events: rows between two places, which an index of (block, log_index) finds. */

type Place = readonly [block: number, logIndex: number]

const noneAbove = Number.MAX_SAFE_INTEGER

const compare = (one: Place, other: Place): number => one[0] - other[0] || one[1] - other[1]

/** Both places are excluded. */
type Span = { readonly lower: Place; readonly upper: Place }

const wholeChain: Span = { lower: [-1, logIndexMax], upper: [noneAbove, -1] }

/** The part of a span behind a place, in the order of a query. */
const spanAfter = (
  { lower, upper }: Span,
  { after, order }: Pick<EventPageQuery, 'after' | 'order'>,
): Span => {
  if (after === null) return { lower, upper }
  const place: Place = [after.block, after.logIndex]
  return order === 'asc'
    ? { lower: compare(lower, place) < 0 ? place : lower, upper }
    : { lower, upper: compare(place, upper) < 0 ? place : upper }
}

/** Times as well, by which PostgreSQL finds rows: block times never decrease. */
const toParameters = (
  { lower, upper }: Span,
  { after, fromTs, toTs, order, rowsMax }: EventPageQuery,
): readonly Parameter[] => {
  const since = order === 'asc' ? (after?.ts ?? 0) : 0
  const until = order === 'desc' ? (after?.ts ?? noneAbove) : noneAbove
  const times = [Math.max(fromTs ?? 0, since), Math.min(toTs ?? noneAbove, until)]
  return [...lower, ...upper, ...times, rowsMax]
}

/** The span with all swaps of these times, and few others. */
const findSpan = async (
  session: Session,
  queries: Queries,
  { fromTs, toTs }: Pick<EventPageQuery, 'fromTs' | 'toTs'>,
): Promise<Span> => {
  const find = async (query: string, ts: number | null): Promise<BlockNumber | null> =>
    ts === null ? null : session.first(blockNumbers, query, [ts])
  const before = await find(queries.swapBlockBefore, fromTs)
  const behind = await find(queries.swapBlockBehind, toTs)
  return {
    lower: before === null ? wholeChain.lower : [before, logIndexMax],
    upper: behind === null ? wholeChain.upper : [behind, -1],
  }
}

export const readSwapPage = async (
  session: Session,
  queries: Queries,
  { pool, ...query }: Parameters<StoreSnapshot['swapPage']>[0],
): ReturnType<StoreSnapshot['swapPage']> => {
  const span = spanAfter(await findSpan(session, queries, query), query)
  const values = toParameters(span, query)
  const isForward = query.order === 'asc'
  if (pool === null) {
    return session.collect(swaps, isForward ? queries.swapPage : queries.newestSwapPage, values)
  }
  const sql = isForward ? queries.poolSwapPage : queries.newestPoolSwapPage
  return session.collect(swaps, sql, [pool, ...values])
}

/** One of the four texts, by the order and by whether it is of one pool. */
const searchText = (queries: Queries, isForward: boolean, isOfPool: boolean): string => {
  if (isOfPool) return isForward ? queries.poolSwapSearch : queries.newestPoolSwapSearch
  return isForward ? queries.swapSearch : queries.newestSwapSearch
}

export const searchSwaps = async (
  session: Session,
  queries: Queries,
  { pool, filter, searchedMax, ...query }: Parameters<StoreSnapshot['searchSwaps']>[0],
): ReturnType<StoreSnapshot['searchSwaps']> => {
  const span = spanAfter(await findSpan(session, queries, query), query)
  const { pools, usdMicroMin, trader, sender } = filter
  const address = orNull(hex)
  return session.collect(foundSwaps, searchText(queries, query.order === 'asc', pool !== null), [
    ...(pool === null ? [] : [pool]),
    ...toParameters(span, { ...query, rowsMax: searchedMax }),
    searchedMax,
    pools === null ? null : `,${pools.join(',')},`,
    usdMicroMin,
    address.toColumn(trader),
    address.toColumn(sender),
    query.rowsMax,
  ] as readonly Parameter[])
}

const touchedPools: Shape<TouchedPool> = {
  forms: [integer.form, integer.form],
  fromRow: ([block, pool]) => ({
    block: integer.fromColumn(block),
    pool: integer.fromColumn(pool),
  }),
}

export const readTouchedPools = async (
  session: Session,
  queries: Queries,
  { afterBlock, toBlock, rowsMax }: Parameters<StoreSnapshot['touchedPools']>[0],
): ReturnType<StoreSnapshot['touchedPools']> => {
  const values = [afterBlock, toBlock, rowsMax]
  const changed = await session.collect(touchedPools, queries.changedPools, values)
  const created = await session.collect(touchedPools, queries.createdPools, values)
  return [...changed, ...created].toSorted((a, b) => a.block - b.block).slice(0, rowsMax)
}

export const readLiquidityPage = async (
  session: Session,
  queries: Queries,
  { pool, ...query }: Parameters<StoreSnapshot['liquidityPage']>[0],
): ReturnType<StoreSnapshot['liquidityPage']> => {
  const span = spanAfter(await findSpan(session, queries, query), query)
  const sql = query.order === 'asc' ? queries.liquidityPage : queries.newestLiquidityPage
  return session.collect(pricedChanges, sql, [pool, ...toParameters(span, query)])
}
