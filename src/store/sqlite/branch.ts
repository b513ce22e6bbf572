import { candleWidths } from '../../domain/pool/stored-events.ts'
import type { Replacement, Settling, StoreHeader } from '../../ports/store-rows.ts'
import type { BatchWriter } from './commit.ts'
import type { Connection } from './connection.ts'
import type { HeaderRow } from './header.ts'
import { createCandleWriter, createPoolWriter, createTickWriter } from './row-writers.ts'

/** What a branch leaves behind, by the time and the number of its ancestor or by its pools. */
export const removalQueries = {
  // The index by time, because there is none by block; times never fall.
  swaps: 'DELETE FROM swaps WHERE ts >= ? AND block > ?',
  liquidity: 'DELETE FROM liquidity_changes WHERE block > ?',
  blocks: 'DELETE FROM blocks WHERE block > ?',
  candles: 'DELETE FROM candles WHERE pool = ? AND width = ? AND ts >= ?',
  createdTicks: `DELETE FROM ticks WHERE pool IN
    (SELECT number FROM pools WHERE created_block > ?)`,
  createdCandles: `DELETE FROM candles WHERE pool IN
    (SELECT number FROM pools WHERE created_block > ?)`,
  createdReserves: `DELETE FROM reserves WHERE pool IN
    (SELECT number FROM pools WHERE created_block > ?)`,
  pools: 'DELETE FROM pools WHERE created_block > ?',
} as const

const createRemoval = (connection: Connection) => {
  const swaps = connection.prepare(removalQueries.swaps)
  const candles = connection.prepare(removalQueries.candles)
  const byBlock = [
    connection.prepare(removalQueries.liquidity),
    connection.prepare(removalQueries.blocks),
    connection.prepare(removalQueries.createdTicks),
    connection.prepare(removalQueries.createdCandles),
    connection.prepare(removalQueries.createdReserves),
    connection.prepare(removalQueries.pools),
  ]
  return ({ ancestor, restored }: Replacement): void => {
    const { block, ts } = ancestor ?? { block: -1, ts: 0 }
    swaps.run([ts, block])
    for (const statement of byBlock) statement.run([block])
    for (const { pool } of restored) {
      for (const width of candleWidths) candles.run([pool, width, ts - (ts % width)])
    }
  }
}

const createRestoration = (connection: Connection) => {
  const pool = createPoolWriter(connection)
  const tick = createTickWriter(connection)
  const candle = createCandleWriter(connection)
  return ({ restored }: Replacement, revision: number): void => {
    for (const { pool: number, state, ticks, candles } of restored) {
      pool.setState(number, state, revision)
      tick.clear(number)
      for (const record of ticks) tick.put(record)
      for (const record of candles) candle(record)
    }
  }
}

type Standing = 'next' | 'already-in' | 'stale' | 'below-settled'

/** A branch may end at the block that it replaces: only the epoch tells whether it is in. */
const standingOf = (
  { epoch, indexed, ancestor, branch }: Replacement,
  stored: StoreHeader,
): Standing => {
  const isAt = (hash: string) => stored.indexed?.hash === hash
  if (stored.epoch === epoch + 1 && isAt(branch.to.hash)) return 'already-in'
  if (stored.epoch !== epoch || !isAt(indexed.hash)) return 'stale'
  const isBelow = (ancestor?.block ?? -1) < (stored.settled?.block ?? -1)
  return isBelow ? 'below-settled' : 'next'
}

export type ReplaceBranch = (
  replacement: Replacement,
) => 'committed' | 'stale-cursor' | 'below-settled'

export const createReplaceBranch = (
  connection: Connection,
  header: HeaderRow,
  writeBatch: BatchWriter,
): ReplaceBranch => {
  const remove = createRemoval(connection)
  const restore = createRestoration(connection)
  return (replacement) =>
    connection.write(() => {
      const stored = header.claimed()
      const standing = standingOf(replacement, stored)
      if (standing === 'already-in') return 'committed'
      if (standing === 'stale') return 'stale-cursor'
      if (standing === 'below-settled') return standing
      const revision = stored.revision + 1
      remove(replacement)
      restore(replacement, revision)
      writeBatch(replacement.branch, revision)
      const { to: indexed, head, backfill } = replacement.branch
      const repairs = stored.repairs + replacement.repairs
      const epoch = stored.epoch + 1
      header.save({ ...stored, revision, epoch, indexed, head, backfill, repairs })
      return 'committed'
    })
}

export type Settle = (settling: Settling) => 'committed' | 'stale-cursor'

export const createSettle =
  (connection: Connection, header: HeaderRow): Settle =>
  ({ before, to, verified }) =>
    connection.write(() => {
      const stored = header.claimed()
      const { settled, indexed } = stored
      if (settled?.block === to.block && settled.hash === to.hash) return 'committed'
      const isNext = (settled?.block ?? null) === before && to.block > (before ?? -1)
      const isIndexed = indexed !== null && to.block <= indexed.block
      if (!isNext || !isIndexed) return 'stale-cursor'
      header.save({ ...stored, revision: stored.revision + 1, settled: to, verified })
      return 'committed'
    })
