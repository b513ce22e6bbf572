import type { PoolIdentity, PoolNumber, PoolState } from '../../domain/pool/pool-state.ts'
import { stateAtCreation } from '../../domain/pool/pool-state.ts'
import type { Candle, ReferencePoint, StoredTick } from '../../domain/pool/stored-events.ts'
import type { Address, UnixSeconds } from '../../domain/units.ts'
import { hex } from '../shared/codec.ts'
import { candleMerge, earlierCandleMerge, referenceMerge } from '../shared/merges.ts'
import { poolIdentities, poolStates } from '../shared/pool-table.ts'
import { insertInto, type Table, upsertInto } from '../shared/table.ts'
import { candles, referencePoints, referenceRank, ticks } from '../shared/tables.ts'
import type { Connection } from './connection.ts'

/** Writes one record and answers how many rows that changed. */
export type RowWriter<T> = (record: T) => number

export const rowWriter = <T>(
  connection: Connection,
  table: Table<T>,
  sql: string,
): RowWriter<T> => {
  const statement = connection.prepare(sql)
  return (record) => statement.run(table.toRow(record))
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
  return {
    insert: (identity, revision) => {
      insert.run([...poolIdentities.toRow(identity), ...blank, revision])
    },
    setState: (pool, state, revision) => {
      const changed = update.run([...poolStates.toRow(state), revision, pool])
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

export const createReferenceWriter = (connection: Connection): RowWriter<ReferencePoint> => {
  const statement = connection.prepare(insertInto(referencePoints, ['rank']) + referenceMerge)
  return (point) => statement.run([...referencePoints.toRow(point), referenceRank[point.source]])
}

/** Whatever is kept is later, or from a better source. */
export const createEarlierReferenceWriter = (connection: Connection): RowWriter<ReferencePoint> => {
  const sql = `${insertInto(referencePoints, ['rank'])} ON CONFLICT (address, width, ts) DO NOTHING`
  const statement = connection.prepare(sql)
  return (point) => statement.run([...referencePoints.toRow(point), referenceRank[point.source]])
}

export const createSearchedWriter = (
  connection: Connection,
): ((stocks: readonly Address[]) => number) => {
  const insert = connection.prepare(
    'INSERT INTO searched (address) VALUES (?) ON CONFLICT DO NOTHING',
  )
  return (stocks) => stocks.reduce((rows, stock) => rows + insert.run([hex.toColumn(stock)]), 0)
}
