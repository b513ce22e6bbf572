import type { Hash } from '../../domain/units.ts'
import type { Batch } from '../../ports/store-rows.ts'
import { hex } from '../shared/codec.ts'
import { mayBeIn, planCommit } from '../shared/standing.ts'
import { insertInto, upsertInto } from '../shared/table.ts'
import { blocks, liquidityChanges, swaps } from '../shared/tables.ts'
import type { Connection } from './connection.ts'
import type { HeaderRow } from './header.ts'
import {
  createCandleWriter,
  createPoolWriter,
  createReferenceWriter,
  createTickWriter,
  rowWriter,
} from './row-writers.ts'

export type BatchWriter = (batch: Batch, revision: number) => void

/** Writes the rows of a batch; each table in the batch's own order, which is the chain's. */
export const createBatchWriter = (connection: Connection): BatchWriter => {
  const pool = createPoolWriter(connection)
  const tick = createTickWriter(connection)
  const block = rowWriter(connection, blocks, upsertInto(blocks, { key: ['block'] }))
  const swap = rowWriter(connection, swaps, insertInto(swaps))
  const change = rowWriter(connection, liquidityChanges, insertInto(liquidityChanges))
  const candle = createCandleWriter(connection)
  const reference = createReferenceWriter(connection)
  return (batch, revision) => {
    for (const anchor of batch.blocks) block(anchor)
    block(batch.to)
    for (const identity of batch.pools) pool.insert(identity, revision)
    for (const entry of batch.states) pool.setState(entry.pool, entry.state, revision)
    for (const record of batch.ticks) tick.put(record)
    for (const record of batch.swaps) swap(record)
    for (const record of batch.liquidity) change(record)
    for (const record of batch.candles) candle(record)
    for (const record of batch.references) reference(record)
  }
}

export type Commit = (batch: Batch) => 'committed' | 'stale-cursor'

export const createCommit = (
  connection: Connection,
  header: HeaderRow,
  writeBatch: BatchWriter,
): Commit => {
  const hashQuery = connection.prepare('SELECT hash FROM blocks WHERE block = ?')
  const keptHash = (block: number): Hash | null => {
    const row = hashQuery.get([block])
    return row === undefined ? null : hex.fromColumn(row[0])
  }
  return (batch) =>
    connection.write(() => {
      const stored = header.claimed()
      const kept = mayBeIn(batch, stored) ? keptHash(batch.to.block) : null
      const plan = planCommit(batch, stored, kept)
      if (plan.header !== null) {
        writeBatch(batch, plan.header.revision)
        header.save(plan.header)
      }
      return plan.answer
    })
}
