import type { SQLInputValue } from 'node:sqlite'
import type { StoreSnapshot } from '../../ports/store.ts'
import type { VolumeSecond } from '../../ports/store-rows.ts'
import { hex, integer, usdMicro } from './codec.ts'
import type { Connection } from './connection.ts'
import { createHeaderRead } from './header.ts'
import { poolColumns, poolFromRow } from './pool-table.ts'
import { columnsOf, type Row, type Table, table } from './table.ts'
import { candles, quotes, referencePoints, reserves, sources, stocks, swaps } from './tables.ts'
import { tokens } from './token-table.ts'
import type { Sync } from './turns.ts'

export type Reads = { readonly [Name in keyof StoreSnapshot]: Sync<StoreSnapshot[Name]> }

/**
 * The hand-written queries. Two lean on block times never falling: what is older than a block
 * is in no later block, so an index on the one bounds a range of the other.
 */
export const queries = {
  poolsChangedAfter: `SELECT ${poolColumns} FROM pools
    WHERE revision > ? ORDER BY revision, number`,
  tokensChangedAfter: `SELECT ${columnsOf(tokens)} FROM tokens
    WHERE revision > ? ORDER BY revision, address`,
  stocksChangedAfter: `SELECT ${columnsOf(stocks)} FROM stocks
    WHERE revision > ? ORDER BY revision, address`,
  quotes: `SELECT ${columnsOf(quotes)} FROM quotes ORDER BY address, source`,
  reserves: `SELECT ${columnsOf(reserves)} FROM reserves ORDER BY pool, source`,
  sources: `SELECT ${columnsOf(sources)} FROM sources ORDER BY source`,
  searched: 'SELECT address FROM searched ORDER BY address',
  blockTs: 'SELECT ts FROM blocks WHERE block <= ? ORDER BY block DESC LIMIT 1',
  // Sums of floating point can not overflow, and are exact below 2^53.
  volume: `SELECT pool, ts, COALESCE(SUM(CAST(usd_micro AS DOUBLE PRECISION)), 0),
      COUNT(*), COUNT(*) - COUNT(usd_micro), SUM(estimated)
    FROM swaps WHERE ts >= ? AND block > ? GROUP BY ts, pool ORDER BY ts, pool`,
  candles: `SELECT ${columnsOf(candles)} FROM candles
    WHERE pool = ? AND width = ? AND ts >= ? AND ts <= ? ORDER BY ts`,
  candleBefore: `SELECT ${columnsOf(candles)} FROM candles
    WHERE pool = ? AND width = ? AND ts < ? ORDER BY ts DESC LIMIT 1`,
  swaps: `SELECT ${columnsOf(swaps)} FROM swaps
    WHERE pool = ? AND ts >= ? AND block >
      COALESCE((SELECT block FROM swaps WHERE ts < ? ORDER BY ts DESC LIMIT 1), -1)
    ORDER BY block DESC, log_index DESC LIMIT ?`,
  references: `SELECT ${columnsOf(referencePoints)} FROM reference_points
    WHERE address = ? AND width = ? AND ts >= ? AND ts <= ? ORDER BY ts`,
  referenceBefore: `SELECT ${columnsOf(referencePoints)} FROM reference_points
    WHERE address = ? AND width = ? AND ts < ? ORDER BY ts DESC LIMIT 1`,
} as const

const volumeSeconds = table<VolumeSecond>('swaps', {
  pool: integer,
  ts: integer,
  usdMicro,
  swaps: integer,
  unpriced: integer,
  estimated: integer,
})

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
