import type { StoredLiquidityChange } from '../../domain/pool/stored-events.ts'
import type { BlockNumber } from '../../domain/units.ts'
import type { HistoryBatch, LastSwap } from '../../ports/store-rows.ts'
import { liquidityAfterQuery } from '../shared/queries.ts'
import { planHistory } from '../shared/standing.ts'
import { insertInto, upsertInto } from '../shared/table.ts'
import { blocks, liquidityChanges, swaps } from '../shared/tables.ts'
import type { Connection } from './connection.ts'
import type { HeaderRow } from './header.ts'
import {
  createEarlierCandleWriter,
  createEarlierReferenceWriter,
  rowWriter,
} from './row-writers.ts'

/** A hook that holds the tokens was not known when the reserves were computed by the map. */
const createLastSwapWriter = (connection: Connection) => {
  const fill = connection.prepare(`UPDATE pools SET
      last_swap_ts = ?, last_swap_block = ?, last_swap_fee = ?, revision = ?
    WHERE number = ? AND last_swap_ts IS NULL`)
  const serve = connection.prepare(`UPDATE pools SET
      map_fault = 'hook_custom_accounting', reserve0 = NULL, reserve1 = NULL, revision = ?
    WHERE number = ? AND map_fault IS NULL`)
  return ({ pool, ts, block, fee, isHookServed }: LastSwap, revision: number): void => {
    fill.run([ts, block, fee, revision, pool])
    if (isHookServed) serve.run([revision, pool])
  }
}

/** Writes the rows of a range of the past. */
const createHistoryWriter = (connection: Connection) => {
  const block = rowWriter(connection, blocks, upsertInto(blocks, { key: ['block'] }))
  const swap = rowWriter(connection, swaps, insertInto(swaps))
  const change = rowWriter(connection, liquidityChanges, insertInto(liquidityChanges))
  const candle = createEarlierCandleWriter(connection)
  const reference = createEarlierReferenceWriter(connection)
  const lastSwap = createLastSwapWriter(connection)
  return (batch: HistoryBatch, revision: number): void => {
    for (const anchor of batch.blocks) block(anchor)
    for (const record of batch.swaps) swap(record)
    for (const record of batch.liquidity) change(record)
    for (const record of batch.candles) candle(record)
    for (const record of batch.references) reference(record)
    for (const record of batch.lastSwaps) lastSwap(record, revision)
  }
}

/** Ranges of the past, newest first, each let in exactly once. */
export const createFillHistory = (connection: Connection, header: HeaderRow) => {
  const write = createHistoryWriter(connection)
  return (batch: HistoryBatch): 'committed' | 'stale-cursor' =>
    connection.write(() => {
      const plan = planHistory(batch, header.claimed())
      if (plan.header !== null) {
        write(batch, plan.header.revision)
        header.save(plan.header)
      }
      return plan.answer
    })
}

/** Asked once, when a first reading is taken up. */
export const createLiquidityRead = (connection: Connection) => {
  const statement = connection.prepare(liquidityAfterQuery)
  return (block: BlockNumber): readonly StoredLiquidityChange[] =>
    statement.all([block]).map(liquidityChanges.fromRow)
}
