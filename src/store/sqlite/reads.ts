import type { SQLInputValue } from 'node:sqlite'
import type { StoredTick } from '../../domain/pool/stored-events.ts'
import type { StoreSnapshot } from '../../ports/store.ts'
import type { StoredPool, StoredToken } from '../../ports/store-rows.ts'
import type { Sync } from '../../util/mutex.ts'
import { hex } from '../shared/codec.ts'
import { pagesOf } from '../shared/pages.ts'
import { poolFromRow } from '../shared/pool-table.ts'
import type { Paged } from '../shared/snapshot.ts'
import type { Row, Table } from '../shared/table.ts'
import {
  candles,
  quotes,
  referencePoints,
  reserves,
  sources,
  stocks,
  swaps,
  ticks,
} from '../shared/tables.ts'
import { tokens } from '../shared/token-table.ts'
import { hourlySums, volumeSums } from '../shared/volume-sums.ts'
import type { Connection } from './connection.ts'
import { createHeaderRead } from './header.ts'
import { textQueries as queries } from './text-queries.ts'

export type Reads = Pick<StoreSnapshot, Paged> & {
  readonly [Name in Exclude<keyof StoreSnapshot, Paged>]: Sync<StoreSnapshot[Name]>
}

/** So few that nothing of a page grows old, which is only collected much later. */
export const pageRows = 200

/** Rows of a span of time and the last one before it. */
const createSpanRead = <T>(
  connection: Connection,
  rows: { readonly of: Table<T>; readonly within: string; readonly before: string },
) => {
  const within = connection.prepare(rows.within)
  const before = connection.prepare(rows.before)
  return (
    key: readonly SQLInputValue[],
    { fromTs, toTs }: { readonly fromTs: number; readonly toTs: number },
  ): { readonly before: T | null; readonly rows: readonly T[] } => {
    const last = before.get([...key, fromTs])
    return {
      before: last === undefined ? null : rows.of.fromRow(last),
      rows: within.all([...key, fromTs, toTs]).map(rows.of.fromRow),
    }
  }
}

const createHourlyVolumeRead = (connection: Connection): Reads['hourlyVolume'] => {
  const hourly = connection.prepare(queries.hourlyVolume)
  const ofPool = connection.prepare(queries.volumeOfPool)
  return ({ fromTs, toTs }) =>
    hourly.all([fromTs, toTs]).map((hours) => {
      const { sum, isCut } = hourlySums.fromRow(hours)
      const row = isCut ? ofPool.get([sum.pool, fromTs, toTs, fromTs]) : undefined
      return row === undefined ? sum : volumeSums.fromRow(row)
    })
}

/** Row by row: all pools at once are half a million small arrays that nobody needs any more. */
const createList =
  (connection: Connection) =>
  <T>(sql: string, of: (row: Row) => T) => {
    const statement = connection.prepare(sql)
    return (...values: readonly SQLInputValue[]): readonly T[] =>
      Array.from(statement.iterate(values), of)
  }

/** The rows after one of them. */
export const createPages = (connection: Connection) => {
  const list = createList(connection)
  const poolsOf = list(queries.poolPage, poolFromRow)
  const tokensOf = list(queries.tokenPage, tokens.fromRow)
  const ticksOf = list(queries.tickPage, ticks.fromRow)
  return {
    pools: (last: StoredPool | undefined, rowsMax: number) => poolsOf(last?.number ?? -1, rowsMax),
    tokens: (last: StoredToken | undefined, rowsMax: number) =>
      tokensOf(hex.toColumn(last?.address ?? '0x'), rowsMax),
    ticks: (last: StoredTick | undefined, rowsMax: number) =>
      ticksOf(last?.pool ?? -1, last?.tick ?? 0, rowsMax),
  }
}

export const createReads = (connection: Connection): Reads => {
  const list = createList(connection)
  const pages = createPages(connection)
  const swapsOf = list(queries.swaps, swaps.fromRow)
  const volumeOf = list(queries.volume, volumeSums.fromRow)
  const candlesOf = createSpanRead(connection, {
    of: candles,
    within: queries.candles,
    before: queries.candleBefore,
  })
  const referencesOf = createSpanRead(connection, {
    of: referencePoints,
    within: queries.references,
    before: queries.referenceBefore,
  })
  return {
    header: createHeaderRead(connection),
    pools: () => pagesOf(pageRows, async (last, rowsMax) => pages.pools(last, rowsMax)),
    tokens: () => pagesOf(pageRows, async (last, rowsMax) => pages.tokens(last, rowsMax)),
    poolsChangedAfter: list(queries.poolsChangedAfter, poolFromRow),
    tokensChangedAfter: list(queries.tokensChangedAfter, tokens.fromRow),
    stocksChangedAfter: list(queries.stocksChangedAfter, stocks.fromRow),
    quotes: list(queries.quotes, quotes.fromRow),
    reserves: list(queries.reserves, reserves.fromRow),
    sources: list(queries.sources, sources.fromRow),
    searched: list(queries.searched, ([address]) => hex.fromColumn(address)),
    volume: ({ afterTs, toTs, afterBlock }) => volumeOf(afterTs, toTs, afterBlock),
    hourlyVolume: createHourlyVolumeRead(connection),
    candles: (query) => candlesOf([query.pool, query.width], query),
    swaps: ({ pool, fromTs, rowsMax }) => swapsOf(pool, fromTs, fromTs, rowsMax),
    references: (query) => referencesOf([hex.toColumn(query.address), query.width], query),
  }
}
