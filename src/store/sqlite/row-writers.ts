import type { PoolIdentity, PoolNumber, PoolState } from '../../domain/pool/pool-state.ts'
import { stateAtCreation } from '../../domain/pool/pool-state.ts'
import type { Candle, ReferencePoint, StoredTick } from '../../domain/pool/stored-events.ts'
import type { Address, UnixSeconds } from '../../domain/units.ts'
import { hex } from '../shared/codec.ts'
import { candleMerge, earlierCandleMerge, referenceMerge } from '../shared/merges.ts'
import { createStatePlaces, poolIdentities, poolStates } from '../shared/pool-table.ts'
import { insertInto, type RecordTable, upsertInto } from '../shared/table.ts'
import { candles, referencePoints, referenceRank, ticks } from '../shared/tables.ts'
import type { Connection } from './connection.ts'

/** Writes one record and answers how many rows that changed. */
export type RowWriter<T> = (record: T) => number

export const rowWriter = <T>(
  connection: Connection,
  table: RecordTable<T>,
  sql: string,
): RowWriter<T> => {
  const statement = connection.prepare(sql)
  // The driver copies the bytes that it binds (SQLITE_TRANSIENT), so that they can be used again.
  const places = table.createPlaces()
  return (record) => statement.run(places(record))
}

export type PoolWriter = {
  readonly insert: (identity: PoolIdentity, revision: number) => void
  readonly setState: (pool: PoolNumber, state: PoolState, revision: number) => void
  readonly setLastHot: (pool: PoolNumber, ts: UnixSeconds, revision: number) => number
}

const setText = poolStates.columns.map((column) => `${column} = ?`).join(', ')

export const createPoolWriter = (connection: Connection): PoolWriter => {
  const carried = [...poolStates.columns, 'revision']
  const insert = connection.prepare(insertInto(poolIdentities, carried))
  const update = connection.prepare(`UPDATE pools SET ${setText}, revision = ? WHERE number = ?`)
  const heat = connection.prepare(
    `UPDATE pools SET last_hot_ts = ?, revision = ?
     WHERE number = ? AND last_hot_ts IS DISTINCT FROM ?`,
  )
  const blank = poolStates.toRow(stateAtCreation(null))
  const places = createStatePlaces()
  const revisionAt = poolStates.columns.length
  return {
    insert: (identity, revision) => {
      insert.run([...poolIdentities.toRow(identity), ...blank, revision])
    },
    setState: (pool, state, revision) => {
      const row = places(state)
      row[revisionAt] = revision
      row[revisionAt + 1] = pool
      const changed = update.run(row)
      if (changed === 0) throw new Error(`store: there is no pool ${pool}`)
    },
    setLastHot: (pool, ts, revision) => heat.run([ts, revision, pool, ts]),
  }
}

export type TickWriter = {
  readonly put: (tick: StoredTick) => void
  readonly clear: (pool: PoolNumber) => void
}

export const createTickWriter = (connection: Connection): TickWriter => {
  const upsert = rowWriter(connection, ticks, upsertInto(ticks, { key: ['pool', 'tick'] }))
  const remove = connection.prepare('DELETE FROM ticks WHERE pool = ? AND tick = ?')
  const clear = connection.prepare('DELETE FROM ticks WHERE pool = ?')
  return {
    put: (tick) => {
      if (tick.gross === 0n) remove.run([tick.pool, tick.tick])
      else upsert(tick)
    },
    clear: (pool) => {
      clear.run([pool])
    },
  }
}

export const createCandleWriter = (connection: Connection): RowWriter<Candle> =>
  rowWriter(connection, candles, insertInto(candles) + candleMerge)

export const createEarlierCandleWriter = (connection: Connection): RowWriter<Candle> =>
  rowWriter(connection, candles, insertInto(candles) + earlierCandleMerge)

const createPointWriter = (connection: Connection, conflict: string): RowWriter<ReferencePoint> => {
  const statement = connection.prepare(`${insertInto(referencePoints, ['rank'])} ${conflict}`)
  const places = referencePoints.createPlaces()
  const rankAt = referencePoints.columns.length
  return (point) => {
    const row = places(point)
    row[rankAt] = referenceRank[point.source]
    return statement.run(row)
  }
}

export const createReferenceWriter = (connection: Connection): RowWriter<ReferencePoint> =>
  createPointWriter(connection, referenceMerge)

/** Whatever is kept is later, or from a better source. */
export const createEarlierReferenceWriter = (connection: Connection): RowWriter<ReferencePoint> =>
  createPointWriter(connection, 'ON CONFLICT (address, width, ts) DO NOTHING')

export const createSearchedWriter = (
  connection: Connection,
): ((stocks: readonly Address[]) => number) => {
  const insert = connection.prepare(
    'INSERT INTO searched (address) VALUES (?) ON CONFLICT DO NOTHING',
  )
  return (stocks) => stocks.reduce((rows, stock) => rows + insert.run([hex.toColumn(stock)]), 0)
}
