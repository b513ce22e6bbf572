import { setTimeout as sleep } from 'node:timers/promises'
import type { UnixSeconds } from '../../domain/units.ts'
import type { StoreWriter } from '../../ports/store.ts'
import { pruneQueries } from '../shared/queries.ts'
import { type DailyTable, type Partitions, partitionOf } from './partitions.ts'
import type { Revise } from './records.ts'
import type { Writing } from './writing.ts'

/** A transaction of some ten milliseconds: other writes come in between. */
const chunkRows = 5_000

/** A table is dropped only while nobody reads it, and nobody is to wait for that. */
const lockWaitMs = 200
const dropTriesMax = 20
const dropPauseMs = 50

const isLocked = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '55P03'

/** Drops one day's rows whole; false if readers were in the way until the last try. */
const dropDay = async (revise: Revise, table: DailyTable, day: number): Promise<number | null> => {
  const name = partitionOf(table, day)
  for (let tries = 1; tries <= dropTriesMax; tries++) {
    try {
      return await revise(async ({ exec, partitions }) => {
        await exec(`SET LOCAL lock_timeout = ${lockWaitMs}`)
        // Counted because the port tells how many rows went; it locks out nobody.
        const [row] = await exec(`SELECT COUNT(*) FROM ${name}`)
        partitions.forget()
        await exec(`DROP TABLE ${name}`)
        return { rows: Number(row?.[0] ?? 0) }
      })
    } catch (error) {
      if (!isLocked(error)) throw error
      await sleep(dropPauseMs)
    }
  }
  return null
}

type Sweep = {
  readonly sql: string
  readonly beforeTs: UnixSeconds
  /** Where whole days of it can be dropped. */
  readonly daily: DailyTable | null
}

/**
 * Days that lie before the limit are dropped whole; what is left before it, in the day of the limit
 * and on servers without partitions, is removed row by row.
 */
export const createPrune = (
  writing: Writing,
  revise: Revise,
  partitions: Partitions,
): StoreWriter['prune'] => {
  const sweep = async ({ sql, beforeTs, daily }: Sweep): Promise<number> => {
    let removed = 0
    if (daily !== null) {
      const days = await writing.read((each) => partitions.daysBefore(each, daily, beforeTs))
      for (const day of days) removed += (await dropDay(revise, daily, day)) ?? 0
    }
    let rows = chunkRows
    while (rows === chunkRows) {
      rows = await revise(async ({ run }) => ({ rows: await run(sql, [beforeTs, chunkRows]) }))
      removed += rows
    }
    return removed
  }
  return async ({ swapsBeforeTs, minuteRowsBeforeTs }) => {
    const sweeps: readonly Sweep[] = [
      { sql: pruneQueries.swaps, beforeTs: swapsBeforeTs, daily: 'swaps' },
      { sql: pruneQueries.blocks, beforeTs: swapsBeforeTs, daily: null },
      { sql: pruneQueries.candles, beforeTs: minuteRowsBeforeTs, daily: 'candles_minutes' },
      {
        sql: pruneQueries.references,
        beforeTs: minuteRowsBeforeTs,
        daily: 'reference_points_minutes',
      },
    ]
    let removed = 0
    for (const each of sweeps) removed += await sweep(each)
    return removed
  }
}
