import type { BlockRef } from '../../domain/chain/block-ref.ts'
import type { PoolNumber } from '../../domain/pool/pool-state.ts'
import type { StoredTick } from '../../domain/pool/stored-rows.ts'
import { secondsPerMinute } from '../../domain/time.ts'
import type { Hex, UnixSeconds } from '../../domain/units.ts'
import type { StoreWriter } from '../../ports/store.ts'
import type { BootstrapState, StoredPool, StoredToken } from '../../ports/store-batches.ts'
import { integer } from './codec.ts'
import { createFeedReads } from './feed-reads.ts'
import { headerQuery, headers } from './header-table.ts'
import { readLiquidityPage, readSwapPage, readTouchedPools, searchSwaps } from './page-reads.ts'
import { tradedAmounts } from './past-shapes.ts'
import { readKeptHours, readTradedSums, readTrades } from './pool-group-reads.ts'
import { poolColumns, poolFromRow, poolIdentities } from './pool-table.ts'
import {
  bootstrapQueries,
  branchQueries,
  liquidityAfterQuery,
  type Queries,
  volumeSums,
} from './queries.ts'
import { replacements } from './replacement-table.ts'
import type { Parameter, Session, Shape } from './session.ts'
import { flattenPages, type PageRead, readPages, type SnapshotReads } from './snapshot.ts'
import {
  blocks,
  bootstrapTable,
  candles,
  liquidityChanges,
  placedChanges,
  quotes,
  referencePoints,
  reserves,
  searches,
  sources,
  stocks,
  swaps,
  swapTransactions,
  tickMapCursors,
  ticks,
  toBootstrapState,
  tokens,
} from './tables.ts'
import { readTimedBlock, readTimedBlockUntil } from './timed-block.ts'
import type { WriteConnection } from './transaction.ts'
import { readHourlyVolume, readMinuteVolume } from './volume-reads.ts'

const pools: Shape<StoredPool> = { forms: poolColumns, fromRow: poolFromRow }

/** As drivers bind them. */
const toBytes = (digits: Hex): Buffer => Buffer.from(digits.slice(2), 'hex')

const poolPages =
  (session: Session, queries: Queries): PageRead<StoredPool> =>
  (last, rowsMax) =>
    session.collect(pools, queries.poolPage, [last?.number ?? -1, rowsMax])

const tokenPages =
  (session: Session, queries: Queries): PageRead<StoredToken> =>
  (last, rowsMax) =>
    session.collect(tokens, queries.tokenPage, [toBytes(last?.address ?? '0x'), rowsMax])

const tickPages =
  (session: Session, queries: Queries): PageRead<StoredTick> =>
  (last, rowsMax) =>
    session.collect(ticks, queries.tickPage, [last?.pool ?? -1, last?.tick ?? 0, rowsMax])

/** All tokens, pools and ticks; each page is a separate read. */
export const createTableReads = (
  read: WriteConnection['read'],
  queries: Queries,
  pageRows: number,
): Pick<StoreWriter, 'readTokens' | 'readPools' | 'readTicks'> => {
  const rows = <Row>(pages: (session: Session, queries: Queries) => PageRead<Row>) =>
    flattenPages(
      readPages<Row>(pageRows, (last, rowsMax) =>
        read((session) => pages(session, queries)(last, rowsMax)),
      ),
    )
  return {
    readTokens: () => rows(tokenPages),
    readPools: () => rows(poolPages),
    readTicks: () => rows(tickPages),
  }
}

type TimeSpan = { readonly fromTs: number; readonly toTs: number }

/** The rows of a time span, which may be empty, and the last one before it. */
const readSeries = async <T extends { readonly ts: UnixSeconds }>(
  session: Session,
  {
    of,
    within,
    before,
  }: { readonly of: Shape<T>; readonly within: string; readonly before: string },
  { key, fromTs, toTs }: TimeSpan & { readonly key: readonly Parameter[] },
) => {
  if (fromTs > toTs) return { before: await session.first(of, before, [...key, fromTs]), rows: [] }
  const rows = await session.all(of, within, [...key, ...key, fromTs, fromTs, toTs])
  const [first = null] = rows
  const hasBefore = first !== null && first.ts < fromTs
  return hasBefore ? { before: first, rows: rows.slice(1) } : { before: null, rows }
}

/** Turns a query of pages into the pages of all rows. */
export type Paging = <Row>(pages: PageRead<Row>) => AsyncIterable<readonly Row[]>

/** The reads of a snapshot, on a session that sees one state. */
export const createSnapshotReads = (
  session: Session,
  queries: Queries,
  paging: Paging,
): SnapshotReads => {
  const candleSpans = { of: candles, within: queries.candles, before: queries.candleBefore }
  const referenceSpans = {
    of: referencePoints,
    within: queries.references,
    before: queries.referenceBefore,
  }
  return {
    header: () => session.first(headers, headerQuery),
    pools: () => paging(poolPages(session, queries)),
    tokens: () => paging(tokenPages(session, queries)),
    poolsChangedAfter: (revision) => session.collect(pools, queries.poolsChangedAfter, [revision]),
    tokensChangedAfter: (revision) =>
      session.collect(tokens, queries.tokensChangedAfter, [revision]),
    poolsBetween: ({ from, to }) => session.collect(pools, queries.poolsBetween, [from, to]),
    poolsById: ({ from, to }) =>
      session.collect(pools, queries.poolsById, [toBytes(from), toBytes(to)]),
    tokensOfPools: ({ from, to }) =>
      session.collect(tokens, queries.tokensOfPools, [from, to, from, to]),
    ticksOfPool: (pool) => session.collect(ticks, queries.ticksOfPool, [pool]),
    stocksChangedAfter: (revision) =>
      session.collect(stocks, queries.stocksChangedAfter, [revision]),
    quotes: () => session.collect(quotes, queries.quotes),
    reserves: () => session.collect(reserves, queries.reserves),
    sources: () => session.collect(sources, queries.sources),
    searches: () => session.collect(searches, queries.searched),
    volume: ({ afterTs, toTs, afterBlock }) =>
      session.collect(volumeSums, queries.volume, [afterTs, toTs, afterBlock]),
    hourlyVolume: (span) => readHourlyVolume(session, queries, span),
    candles: ({ pool, width, ...span }) =>
      readSeries(session, candleSpans, { key: [pool, width], ...span }),
    tradedCandles: ({ pool, width, fromTs, toTs, order, rowsMax }) => {
      const sql = order === 'asc' ? queries.tradedCandles : queries.newestTradedCandles
      return session.collect(candles, sql, [pool, width, fromTs, toTs, rowsMax])
    },
    keptHours: (query) => readKeptHours(session, queries, query),
    tradedSums: (query) => readTradedSums(session, queries, query),
    trades: (query) => readTrades(session, queries, query),
    tradedAmounts: ({ pool, fromTs, toTs, bucketSeconds, token, rowsMax }) => {
      const times = [fromTs, toTs, fromTs, toTs]
      const values = [bucketSeconds, token, pool, ...times, rowsMax]
      return session.all(tradedAmounts, queries.tradedAmounts, values)
    },
    swaps: ({ pool, fromTs, toBlock = Number.MAX_SAFE_INTEGER, rowsMax }) =>
      session.collect(swaps, queries.swaps, [pool, fromTs, fromTs, toBlock, rowsMax]),
    poolVolume: ({ pool, fromTs, toTs, toBlock }) => {
      const values = [pool, fromTs, toTs, fromTs, toTs, toBlock]
      return session.first(volumeSums, queries.volumeOfPool, values)
    },
    minuteVolume: (query) => readMinuteVolume(session, queries, query),
    liquidityChanges: ({ pool, after: { block, logIndex }, rowsMax }) => {
      const values = [pool, block, logIndex, rowsMax]
      return session.collect(placedChanges, queries.liquidityChanges, values)
    },
    timedBlock: (block) => readTimedBlock(session, queries, block),
    timedBlockUntil: (ts) => readTimedBlockUntil(session, queries, ts),
    swapPage: (query) => readSwapPage(session, queries, query),
    searchSwaps: (query) => searchSwaps(session, queries, query),
    liquidityPage: (query) => readLiquidityPage(session, queries, query),
    ...createFeedReads(session, queries),
    touchedPools: (query) => readTouchedPools(session, queries, query),
    block: (block) => session.first(blocks, queries.block, [block]),
    replacementsAfter: (epoch) => session.collect(replacements, queries.replacementsAfter, [epoch]),
    references: ({ address, width, ...span }) =>
      readSeries(session, referenceSpans, { key: [toBytes(address), width], ...span }),
  }
}

const numbers: Shape<PoolNumber> = {
  forms: [integer.form],
  fromRow: ([pool]) => integer.fromColumn(pool),
}

/** The state of a bootstrap without its tick maps. */
export const readBootstrapRow = async (
  session: Session,
): Promise<Omit<BootstrapState, 'tickMapCursors'> | null> => {
  const row = await session.first(bootstrapTable, bootstrapQueries.state)
  return row === null ? null : toBootstrapState(row)
}

const readBootstrap = async (session: Session): Promise<BootstrapState | null> => {
  const bootstrap = await readBootstrapRow(session)
  if (bootstrap === null) return null
  return {
    ...bootstrap,
    tickMapCursors: await session.all(tickMapCursors, bootstrapQueries.tickMapCursors),
  }
}

const readEvents = async (
  session: Session,
  { from, to }: Parameters<StoreWriter['readEvents']>[0],
) => {
  const before = await session.first(blocks, branchQueries.blockAtOrBelow, [from])
  const after = await session.first(blocks, branchQueries.blockAtOrAbove, [to])
  const fromTs = before?.ts ?? 0
  const toTs = after?.ts ?? Number.MAX_SAFE_INTEGER
  return {
    blocks: await session.all(blocks, branchQueries.blocks, [from, to]),
    pools: await session.all(poolIdentities, branchQueries.pools, [from, to]),
    swaps: await session.all(swaps, branchQueries.swaps, [fromTs, toTs, from, to]),
    liquidity: await session.all(liquidityChanges, branchQueries.liquidity, [from, to]),
  }
}

const readChangedPools = async (session: Session, ancestor: BlockRef | null) => {
  const fromTs = ancestor === null ? 0 : ancestor.ts - (ancestor.ts % secondsPerMinute)
  const block = ancestor?.block ?? -1
  const range = [block + 1, Number.MAX_SAFE_INTEGER]
  const created = await session.all(poolIdentities, branchQueries.pools, range)
  return [
    ...new Set([
      ...(await session.all(numbers, branchQueries.changedCandles, [fromTs])),
      ...(await session.all(numbers, branchQueries.changedLiquidity, [block])),
      ...created.map(({ number }) => number),
    ]),
  ]
}

const afterAllSwaps = {
  ts: Number.MAX_SAFE_INTEGER,
  block: Number.MAX_SAFE_INTEGER,
  logIndex: 0,
}

/** The writer's other reads. */
export const createWriterReads = (
  { read }: WriteConnection,
  swapTransactionsText: string,
): Pick<
  StoreWriter,
  | 'readBootstrap'
  | 'readLiquidityAfter'
  | 'readBlockAtOrBelow'
  | 'readEvents'
  | 'readPoolsChangedAfter'
  | 'readSwapTransactions'
  | 'readPoolHistory'
> => ({
  readSwapTransactions: (before, rowsMax) => {
    const { ts, block, logIndex } = before ?? afterAllSwaps
    const values = [ts, block, logIndex, rowsMax]
    return read((session) => session.all(swapTransactions, swapTransactionsText, values))
  },
  readBootstrap: () => read(readBootstrap),
  readLiquidityAfter: (block) =>
    read((session) => session.all(liquidityChanges, liquidityAfterQuery, [block])),
  readBlockAtOrBelow: (block) =>
    read((session) => session.first(blocks, branchQueries.blockAtOrBelow, [block])),
  readEvents: (range) => read((session) => readEvents(session, range)),
  readPoolsChangedAfter: (ancestor) => read((session) => readChangedPools(session, ancestor)),
  readPoolHistory: (pool, block) =>
    read(async (session) => ({
      lastSwap: await session.first(swaps, branchQueries.lastSwap, [pool, block]),
      changes: await session.all(liquidityChanges, branchQueries.changes, [pool]),
    })),
})
