import type { Batch, StoreHeader } from '../../ports/store-rows.ts'
import { hex } from './codec.ts'
import type { Connection } from './connection.ts'
import type { HeaderRow } from './header.ts'
import {
  createCandleWriter,
  createPoolWriter,
  createReferenceWriter,
  createTickWriter,
  rowWriter,
} from './row-writers.ts'
import { insertInto, upsertInto } from './table.ts'
import { blocks, liquidityChanges, swaps } from './tables.ts'

type Standing = 'next' | 'already-in' | 'stale'

/** How a batch stands to what is stored: the fence that lets each block in exactly once. */
const standingOf = (
  { before, to }: Batch,
  { indexed }: StoreHeader,
  storedHash: (block: number) => string | null,
): Standing => {
  if (indexed !== null && indexed.block >= to.block) {
    return storedHash(to.block) === to.hash ? 'already-in' : 'stale'
  }
  return (indexed?.block ?? null) === before ? 'next' : 'stale'
}

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
  const storedHash = (block: number): string | null => {
    const row = hashQuery.get([block])
    return row === undefined ? null : hex.fromColumn(row[0])
  }
  return (batch) =>
    connection.write(() => {
      const stored = header.claimed()
      const standing = standingOf(batch, stored, storedHash)
      if (standing === 'already-in') return 'committed'
      if (standing === 'stale') return 'stale-cursor'
      const revision = stored.revision + 1
      writeBatch(batch, revision)
      const { to: indexed, head, backfill } = batch
      header.save({ ...stored, revision, indexed, head, backfill })
      return 'committed'
    })
}
