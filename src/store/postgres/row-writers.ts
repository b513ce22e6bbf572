import type { Candle, CandleWidth, ReferencePoint } from '../../domain/pool/stored-rows.ts'
import { referenceRankOf } from '../../domain/price/quote.ts'
import { mergeCandles } from '../../domain/series/candles.ts'
import { secondsPerMinute } from '../../domain/time.ts'
import type { RangeBatch, SwapTransaction } from '../../ports/store-batches.ts'
import { hex } from '../shared/codec.ts'
import { candleUpsert, earlierCandleUpsert, referenceUpsert } from '../shared/queries.ts'
import { replacements } from '../shared/replacement-table.ts'
import type { Session } from '../shared/session.ts'
import { columnList } from '../shared/table.ts'
import {
  blocks,
  bootstrapTable,
  bootstrapUpsert,
  candles,
  liquidityChanges,
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
  tokens,
} from '../shared/tables.ts'
import type { RowWriters } from '../shared/transaction.ts'
import {
  createInsert,
  createUpsert,
  lastPerKey,
  runInChunks,
  unnestColumns,
} from './bulk-insert.ts'
import { encodeArray } from './parameters.ts'
import type { DailyTable, Partitions } from './partitions.ts'
import { createPoolWriters } from './pool-row-writers.ts'
import type { PostgresSession } from './session.ts'

const writeBlocks = createUpsert(blocks, ['block'])
const insertSwaps = createInsert(swaps)
const insertLiquidity = createInsert(liquidityChanges)

const setTradersText = `UPDATE swaps SET trader = given.trader
  FROM ${unnestColumns(swapTransactions.forms)}
    AS given(${columnList(swapTransactions)})
  WHERE swaps.pool = given.pool AND swaps.block = given.block
    AND swaps.log_index = given.log_index AND swaps.ts = given.ts
    AND swaps.tx_hash = given.tx_hash AND swaps.trader IS NULL`

const setTraders = (session: Session, records: readonly SwapTransaction[]): Promise<number> => {
  const rows = records.map((record) => swapTransactions.toRow(record))
  return runInChunks(session, setTradersText, swapTransactions.forms, rows)
}

const upsertTicks = createUpsert(ticks, ['pool', 'tick'])
const tickKeys = ticks.forms.slice(0, 2)
const removeText = `DELETE FROM ticks USING ${unnestColumns(tickKeys)} AS given(pool, tick)
  WHERE ticks.pool = given.pool AND ticks.tick = given.tick`

const putTicks = async (session: Session, records: RangeBatch['ticks']): Promise<number> => {
  const last = lastPerKey(records, ({ pool, tick }) => `${pool} ${tick}`)
  const emptied = last.filter(({ gross }) => gross === 0n).map(({ pool, tick }) => [pool, tick])
  const removed = await runInChunks(session, removeText, tickKeys, emptied)
  const present = last.filter(({ gross }) => gross !== 0n)
  return removed + (await upsertTicks(session, present))
}

/** Merges candles of one key: a statement may contain a key only once. */
const mergeByKey = (
  records: readonly Candle[],
  merge: (first: Candle, next: Candle) => Candle,
): readonly Candle[] => {
  const merged = new Map<string, Candle>()
  for (const candle of records) {
    const key = `${candle.pool} ${candle.width} ${candle.ts}`
    const first = merged.get(key)
    merged.set(key, first === undefined ? candle : merge(first, candle))
  }
  return [...merged.values()]
}

const insertLater = createInsert(candles, { conflict: candleUpsert })
const insertEarlier = createInsert(candles, { conflict: earlierCandleUpsert })

const rank = {
  name: 'rank',
  kind: 'integer',
  of: ({ source }: ReferencePoint) => referenceRankOf(source),
} as const

const mergeReferences = createInsert(referencePoints, {
  conflict: referenceUpsert,
  carried: [rank],
})
const keepReferences = createInsert(referencePoints, {
  conflict: 'ON CONFLICT (address, width, ts) DO NOTHING',
  carried: [rank],
})

/** The last point with the highest rank per bucket. */
const bestPerBucket = (points: readonly ReferencePoint[]): readonly ReferencePoint[] => {
  const best = new Map<string, ReferencePoint>()
  for (const point of points) {
    const key = `${point.address} ${point.width} ${point.ts}`
    const other = best.get(key)
    const isBetter =
      other !== undefined && referenceRankOf(other.source) > referenceRankOf(point.source)
    if (!isBetter) best.set(key, point)
  }
  return [...best.values()]
}

const insertReplacements = createInsert(replacements)

const writeSearches = createUpsert(searches, ['address'])
const searchKeys = searches.forms.slice(0, 1)
const removeSearchText = `DELETE FROM searched USING ${unnestColumns(searchKeys)} AS given(address)
  WHERE searched.address = given.address`

const writeBootstrap = createInsert(bootstrapTable, {
  carried: [{ name: 'id', kind: 'integer', of: () => 1 }],
  conflict: bootstrapUpsert,
})
const writeTickMapCursors = createUpsert(tickMapCursors, ['pool'])

const carriedRevision = [
  { name: 'revision', kind: 'integer', of: (_: unknown, revision: number) => revision },
] as const

/** Rows keyed by address that carry the revision of their last change. */
const writeTokens = createUpsert(tokens, ['address'], carriedRevision)
const writeStocks = createUpsert(stocks, ['address'], carriedRevision)
const writeSources = createUpsert(sources, ['source'])
const writeQuotes = createUpsert(quotes, ['address', 'source'])
const writeReserves = createUpsert(reserves, ['pool', 'source'])

const removeCandlesText = `DELETE FROM candles
  WHERE pool = ANY(?::BIGINT[]) AND width = ? AND ts >= ?`
const removeTicksText = 'DELETE FROM ticks WHERE pool = ANY(?::BIGINT[])'

type TimedRow = { readonly ts: number; readonly width?: CandleWidth }

/** One statement per table, with an array per column. */
export const createRowWriters = (session: PostgresSession, partitions: Partitions): RowWriters => {
  /** Only minute rows are pruned, so only they are partitioned. */
  const ensureDays = (daily: DailyTable, rows: readonly TimedRow[]): Promise<void> => {
    const minutes = rows.filter(({ width = secondsPerMinute }) => width === secondsPerMinute)
    return partitions.ensure(
      session,
      daily,
      minutes.map(({ ts }) => ts),
    )
  }
  return {
    blocks: (records) => writeBlocks(session, records),
    ...createPoolWriters(session),
    ticks: (records) => putTicks(session, records),
    swaps: async (records) => {
      await ensureDays('swaps', records)
      return insertSwaps(session, records)
    },
    traders: (records) => setTraders(session, records),
    liquidity: (records) => insertLiquidity(session, records),
    candles: async (records) => {
      await ensureDays('candles_minutes', records)
      return insertLater(session, mergeByKey(records, mergeCandles))
    },
    earlierCandles: async (records) => {
      await ensureDays('candles_minutes', records)
      const earlierFirst = (first: Candle, next: Candle) => mergeCandles(next, first)
      return insertEarlier(session, mergeByKey(records, earlierFirst))
    },
    references: async (points) => {
      await ensureDays('reference_points_minutes', points)
      return mergeReferences(session, bestPerBucket(points))
    },
    earlierReferences: async (points) => {
      await ensureDays('reference_points_minutes', points)
      return keepReferences(session, points)
    },
    replacements: (records) => insertReplacements(session, records),
    searches: (records) => writeSearches(session, records),
    removeSearches: (addresses) =>
      runInChunks(
        session,
        removeSearchText,
        searchKeys,
        addresses.map((address) => [hex.toColumn(address)]),
      ),
    bootstrap: (rows) => writeBootstrap(session, rows),
    tickMapCursors: (records) => writeTickMapCursors(session, records),
    tokens: (records, revision) => writeTokens(session, records, revision),
    stocks: (records, revision) => writeStocks(session, records, revision),
    sources: (records) => writeSources(session, records),
    quotes: (records) => writeQuotes(session, records),
    reserves: (records) => writeReserves(session, records),
    removeTicks: (pools) => session.run(removeTicksText, [encodeArray('integer', pools)]),
    removeCandles: (pools, width, fromTs) =>
      session.run(removeCandlesText, [encodeArray('integer', pools), width, fromTs]),
  }
}
