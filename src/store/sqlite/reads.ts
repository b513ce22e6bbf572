import type { SQLInputValue } from 'node:sqlite'
import type { StoreSnapshot } from '../../ports/store.ts'
import { hex, integer } from '../shared/codec.ts'
import { poolFromRow } from '../shared/pool-table.ts'
import { queries } from '../shared/queries.ts'
import type { Row, Table } from '../shared/table.ts'
import {
  candles,
  quotes,
  referencePoints,
  reserves,
  sources,
  stocks,
  swaps,
  volumeSeconds,
} from '../shared/tables.ts'
import { tokens } from '../shared/token-table.ts'
import type { Sync } from '../shared/turns.ts'
import type { Connection } from './connection.ts'
import { createHeaderRead } from './header.ts'

export type Reads = { readonly [Name in keyof StoreSnapshot]: Sync<StoreSnapshot[Name]> }

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

const createVolumeRead = (connection: Connection): Reads['volume'] => {
  const blockTs = connection.prepare(queries.blockTs)
  const volume = connection.prepare(queries.volume)
  return (after) => {
    const known = blockTs.get([after.block])
    const earliestTs = known === undefined ? 0 : integer.fromColumn(known[0])
    const fromTs = Math.max(after.ts + 1, earliestTs)
    return volume.all([fromTs, after.block]).map(volumeSeconds.fromRow)
  }
}

export const createReads = (connection: Connection): Reads => {
  const list = <T>(sql: string, of: (row: Row) => T) => {
    const statement = connection.prepare(sql)
    return (...values: readonly SQLInputValue[]): readonly T[] => statement.all(values).map(of)
  }
  const swapsOf = list(queries.swaps, swaps.fromRow)
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
    poolsChangedAfter: list(queries.poolsChangedAfter, poolFromRow),
    tokensChangedAfter: list(queries.tokensChangedAfter, tokens.fromRow),
    stocksChangedAfter: list(queries.stocksChangedAfter, stocks.fromRow),
    quotes: list(queries.quotes, quotes.fromRow),
    reserves: list(queries.reserves, reserves.fromRow),
    sources: list(queries.sources, sources.fromRow),
    searched: list(queries.searched, ([address]) => hex.fromColumn(address)),
    volume: createVolumeRead(connection),
    candles: (query) => candlesOf([query.pool, query.width], query),
    swaps: ({ pool, fromTs, rowsMax }) => swapsOf(pool, fromTs, fromTs, rowsMax),
    references: (query) => referencesOf([hex.toColumn(query.address), query.width], query),
  }
}
