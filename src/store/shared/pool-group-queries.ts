import { secondsPerHour, secondsPerMinute } from '../../domain/time.ts'
import { blockBefore, blockFrom, type EngineText } from './engine-text.ts'

/* Queries of several pools at once. The first parameter of each, as it is written, is the pool. */

/** Candles of a pool with swaps. */
const traded = (pool: string, width: number): string =>
  `FROM candles WHERE pool = ${pool} AND width = ${width} AND swaps > 0`

/** Of the first hour that has minutes: it has sixty of them at most. */
const firstMinutes = (pool: string): string => `SELECT pool, hour_ts, SUM(swaps) FROM (
      SELECT pool, ts - ts % ${secondsPerHour} AS hour_ts, swaps
      ${traded(pool, secondsPerMinute)} AND ts <= ?
      ORDER BY ts LIMIT ${secondsPerHour / secondsPerMinute}) AS minutes
    GROUP BY pool, hour_ts ORDER BY hour_ts LIMIT 1`

/** Up to that hour, or up to a time if there are no minutes. */
const hoursUntil = (pool: string): string => `SELECT pool, ts, swaps
    ${traded(pool, secondsPerHour)} AND ts <= COALESCE((
      SELECT ts - ts % ${secondsPerHour} ${traded(pool, secondsPerMinute)} AND ts <= ?
      ORDER BY ts LIMIT 1), ?)
    ORDER BY ts DESC LIMIT 2`

const tradedSums =
  (order: 'ASC' | 'DESC') =>
  (pool: string): string =>
    `SELECT pool, ts, usd_micro, swaps, unpriced FROM candles
    WHERE pool = ${pool} AND width = ? AND ts >= ? AND ts <= ? AND swaps > 0
    ORDER BY ts ${order} LIMIT ?`

/** All swaps as one text: as rows they take twice as long, and grouped they are put in order. */
const tradesOf =
  ({ timed, hex, join }: EngineText) =>
  (pool: string): string => {
    const amount = 'CASE WHEN ? = 0 THEN amount0 ELSE amount1 END'
    const usdMicro = "COALESCE(CAST(usd_micro AS TEXT), '')"
    const fields = ['ts', 'block', 'log_index', usdMicro, 'implausible', hex(amount)]
    return `SELECT ${pool} AS number, ${join(fields.join(" || ',' || "), ';')} AS list
      FROM swaps WHERE pool = ${pool} AND ts >= ? AND ts < ?
        AND block > ${blockBefore(timed)}
        AND block < ${blockFrom(timed)}`
  }

export const buildPoolGroupQueries = (engine: EngineText) => ({
  firstMinutes: engine.eachPool(firstMinutes),
  hoursUntil: engine.eachPool(hoursUntil),
  tradedSums: engine.eachPool(tradedSums('ASC')),
  newestTradedSums: engine.eachPool(tradedSums('DESC')),
  trades: engine.eachPool(tradesOf(engine)),
})
