import { type PoolIdentity, stateAtCreation } from '../../domain/pool/pool-state.ts'
import type { ReferencePoint, StoredTick } from '../../domain/pool/stored-rows.ts'
import { referenceRankOf } from '../../domain/price/quote.ts'
import type {
  EnrichmentBatch,
  LastSwap,
  PoolDepth,
  RangeBatch,
  ReplacementRecord,
} from '../../ports/store-batches.ts'
import { bigint, hex } from '../shared/codec.ts'
import { createStateParameters, poolIdentities, poolStates } from '../shared/pool-table.ts'
import {
  candleUpsert,
  earlierCandleUpsert,
  referenceUpsert,
  removalQueries,
} from '../shared/queries.ts'
import { replacements } from '../shared/replacement-table.ts'
import { insertInto, type RecordTable, type Table, upsertInto } from '../shared/table.ts'
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
import type { Connection } from './connection.ts'

/** Writes one record; returns the number of changed rows. */
type RowWriter<T> = (record: T) => number

const rowWriter = <T>(connection: Connection, table: RecordTable<T>, sql: string): RowWriter<T> => {
  const statement = connection.prepare(sql)
  // The driver copies bound bytes (SQLITE_TRANSIENT), so the row can be reused.
  const toParameters = table.createParameters()
  return (record) => statement.run(toParameters(record))
}

const forEachRecord =
  <T>(write: (record: T, revision: number) => number) =>
  (records: readonly T[], revision = 0): number => {
    let rows = 0
    for (const record of records) rows += write(record, revision)
    return rows
  }

const createInsert = <T>(connection: Connection, table: RecordTable<T>, conflict = '') =>
  forEachRecord(rowWriter(connection, table, insertInto(table) + conflict))

const createUpsert = <T>(connection: Connection, table: RecordTable<T>, key: readonly string[]) =>
  forEachRecord(rowWriter(connection, table, upsertInto(table, { key })))

/** Rows keyed by address that carry the revision of their last change. */
const createRevisedUpsert = <T>(connection: Connection, table: Table<T>) => {
  const sql = upsertInto(table, { key: ['address'], carried: ['revision'] })
  const statement = connection.prepare(sql)
  return forEachRecord((record: T, revision) => statement.run([...table.toRow(record), revision]))
}

const setColumns = poolStates.columns.map((column) => `${column} = ?`).join(', ')

const createPoolWriters = (
  connection: Connection,
): Pick<RowWriters, 'pools' | 'states' | 'depths' | 'lastHot' | 'lastSwaps'> => {
  const carried = [...poolStates.columns, 'revision']
  const insert = connection.prepare(insertInto(poolIdentities, carried))
  const update = connection.prepare(`UPDATE pools SET ${setColumns}, revision = ? WHERE number = ?`)
  const setDepth = connection.prepare(`UPDATE pools SET
      depth0 = ?, depth1 = ?, revision = ?
    WHERE number = ? AND depth0 IS NULL AND reserve0 IS NOT NULL`)
  const updateLastHot = connection.prepare(
    `UPDATE pools SET last_hot_ts = ?, revision = ?
     WHERE number = ? AND last_hot_ts IS DISTINCT FROM ?`,
  )
  const setLastSwap = connection.prepare(`UPDATE pools SET
      last_swap_ts = ?, last_swap_block = ?, last_swap_fee = ?, revision = ?
    WHERE number = ? AND last_swap_ts IS NULL`)
  // Reserves and depth were computed before the swap showed that a hook holds the tokens.
  const setHookFault = connection.prepare(`UPDATE pools SET
      map_fault = 'hook_custom_accounting', reserve0 = NULL, reserve1 = NULL,
      depth0 = NULL, depth1 = NULL, revision = ?
    WHERE number = ? AND map_fault IS NULL`)
  const blank = poolStates.toRow(stateAtCreation(null))
  const toParameters = createStateParameters()
  const revisionAt = poolStates.columns.length
  return {
    pools: forEachRecord((identity: PoolIdentity, revision) =>
      insert.run([...poolIdentities.toRow(identity), ...blank, revision]),
    ),
    states: forEachRecord(({ pool, state }: RangeBatch['states'][number], revision) => {
      const row = toParameters(state)
      row[revisionAt] = revision
      row[revisionAt + 1] = pool
      const changed = update.run(row)
      if (changed === 0) throw new Error(`store: there is no pool ${pool}`)
      return changed
    }),
    depths: forEachRecord(({ pool, depth }: PoolDepth, revision) =>
      setDepth.run([
        bigint.toColumn(depth.amount0),
        bigint.toColumn(depth.amount1),
        revision,
        pool,
      ]),
    ),
    lastHot: forEachRecord(({ pool, lastHotTs }: EnrichmentBatch['hot'][number], revision) =>
      updateLastHot.run([lastHotTs, revision, pool, lastHotTs]),
    ),
    lastSwaps: forEachRecord(({ pool, ts, block, fee, isHookServed }: LastSwap, revision) => {
      const filled = setLastSwap.run([ts, block, fee, revision, pool])
      return isHookServed ? filled + setHookFault.run([revision, pool]) : filled
    }),
  }
}

const createTickWriters = (connection: Connection): Pick<RowWriters, 'ticks' | 'removeTicks'> => {
  const upsert = rowWriter(connection, ticks, upsertInto(ticks, { key: ['pool', 'tick'] }))
  const remove = connection.prepare('DELETE FROM ticks WHERE pool = ? AND tick = ?')
  const clear = connection.prepare('DELETE FROM ticks WHERE pool = ?')
  return {
    ticks: forEachRecord((tick: StoredTick) =>
      tick.gross === 0n ? remove.run([tick.pool, tick.tick]) : upsert(tick),
    ),
    removeTicks: forEachRecord((pool: number) => clear.run([pool])),
  }
}

const referenceWriter = (connection: Connection, conflict: string) => {
  const statement = connection.prepare(`${insertInto(referencePoints, ['rank'])} ${conflict}`)
  const toParameters = referencePoints.createParameters()
  const rankAt = referencePoints.columns.length
  return forEachRecord((point: ReferencePoint) => {
    const row = toParameters(point)
    row[rankAt] = referenceRankOf(point.source)
    return statement.run(row)
  })
}

/** The parameters are the columns of `swapTransactions`. */
const setTrader = `UPDATE swaps SET trader = ?6
  WHERE block = ?2 AND log_index = ?3 AND pool = ?1 AND ts = ?4 AND tx_hash = ?5
    AND trader IS NULL`

/** One statement per record, prepared once. */
export const createRowWriters = (connection: Connection): RowWriters => {
  const removeSearch = connection.prepare('DELETE FROM searched WHERE address = ?')
  const bootstrap = connection.prepare(`${insertInto(bootstrapTable, ['id'])} ${bootstrapUpsert}`)
  const replacement = connection.prepare(insertInto(replacements))
  const removeCandles = connection.prepare(removalQueries.candles)
  return {
    ...createPoolWriters(connection),
    ...createTickWriters(connection),
    blocks: createUpsert(connection, blocks, ['block']),
    swaps: createInsert(connection, swaps),
    traders: forEachRecord(rowWriter(connection, swapTransactions, setTrader)),
    liquidity: createInsert(connection, liquidityChanges),
    candles: createInsert(connection, candles, candleUpsert),
    earlierCandles: createInsert(connection, candles, earlierCandleUpsert),
    references: referenceWriter(connection, referenceUpsert),
    earlierReferences: referenceWriter(connection, 'ON CONFLICT (address, width, ts) DO NOTHING'),
    replacements: forEachRecord((row: ReplacementRecord) =>
      replacement.run(replacements.toRow(row)),
    ),
    searches: createUpsert(connection, searches, ['address']),
    removeSearches: forEachRecord((address) => removeSearch.run([hex.toColumn(address)])),
    bootstrap: forEachRecord((row) => bootstrap.run([...bootstrapTable.toRow(row), 1])),
    tickMapCursors: createUpsert(connection, tickMapCursors, ['pool']),
    tokens: createRevisedUpsert(connection, tokens),
    stocks: createRevisedUpsert(connection, stocks),
    sources: createUpsert(connection, sources, ['source']),
    quotes: createUpsert(connection, quotes, ['address', 'source']),
    reserves: createUpsert(connection, reserves, ['pool', 'source']),
    removeCandles: (pools, width, fromTs) => {
      for (const pool of pools) removeCandles.run([pool, width, fromTs])
    },
  }
}
