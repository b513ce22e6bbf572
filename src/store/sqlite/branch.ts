import { candleWidths } from '../../domain/pool/stored-events.ts'
import type { Replacement, Settling } from '../../ports/store-rows.ts'
import { removalQueries } from '../shared/queries.ts'
import { planReplacement, planSettling } from '../shared/standing.ts'
import type { BatchWriter } from './commit.ts'
import type { Connection } from './connection.ts'
import type { HeaderRow } from './header.ts'
import { createCandleWriter, createPoolWriter, createTickWriter } from './row-writers.ts'

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
      const plan = planReplacement(replacement, header.claimed())
      if (plan.header !== null) {
        const { revision } = plan.header
        remove(replacement)
        restore(replacement, revision)
        writeBatch(replacement.branch, revision)
        header.save(plan.header)
      }
      return plan.answer
    })
}

export type Settle = (settling: Settling) => 'committed' | 'stale-cursor'

export const createSettle =
  (connection: Connection, header: HeaderRow): Settle =>
  (settling) =>
    connection.write(() => {
      const plan = planSettling(settling, header.claimed())
      if (plan.header !== null) header.save(plan.header)
      return plan.answer
    })
