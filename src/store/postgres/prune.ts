import { setTimeout as sleep } from 'node:timers/promises'
import type { StoreWriter } from '../../ports/store.ts'
import { createPrune as createSharedPrune } from '../shared/prune.ts'
import { pruneQueries, queries } from '../shared/queries.ts'
import { createRevise, type Revise } from '../shared/records.ts'
import { type DailyTable, type Partitions, partitionName } from './partitions.ts'
import type { PostgresConnection, PostgresTransaction } from './write-transaction.ts'

/** A transaction of some ten milliseconds, so that other writes can run in between. */
const chunkRows = 5_000

/** DROP waits for readers of the table, and new readers would wait for it: so it gives up soon. */
const lockWaitMs = 200
const dropTriesMax = 20
const dropPauseMs = 50

const isLocked = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '55P03'

/** The partitioned table of each pruned one. */
const dailyTables = {
  swaps: 'swaps',
  blocks: null,
  candles: 'candles_minutes',
  references: 'reference_points_minutes',
} as const

/**
 * Drops the partitions of days before the limit. Deletes the other rows before it: those of the
 * limit's day, and all rows on servers without partitions.
 */
export const createPrune = (
  connection: PostgresConnection,
  partitions: Partitions,
): StoreWriter['prune'] => {
  const revise: Revise<PostgresTransaction> = createRevise(connection)
  /** Drops one day's partition; returns 0 if readers blocked every attempt. */
  const dropDay = async (table: DailyTable, day: number): Promise<number> => {
    const name = partitionName(table, day)
    for (let tries = 1; tries <= dropTriesMax; tries++) {
      try {
        return await revise(async ({ exec }) => {
          await exec(`SET LOCAL lock_timeout = ${lockWaitMs}`)
          // The port returns the number of deleted rows; counting blocks no reader.
          const [row] = await exec(`SELECT COUNT(*) FROM ${name}`)
          partitions.clearCache()
          await exec(`DROP TABLE ${name}`)
          return { rows: Number(row?.[0] ?? 0) }
        })
      } catch (error) {
        if (!isLocked(error)) throw error
        await sleep(dropPauseMs)
      }
    }
    return 0
  }
  return createSharedPrune({
    revise,
    queries: pruneQueries,
    oldestSwapQuery: queries.oldestSwap,
    chunkRows,
    dropDays: async (table, beforeTs) => {
      const daily = dailyTables[table]
      if (daily === null) return 0
      const days = await connection.read((each) => partitions.daysBefore(each, daily, beforeTs))
      let removed = 0
      for (const day of days) removed += await dropDay(daily, day)
      return removed
    },
  })
}
