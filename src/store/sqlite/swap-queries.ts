import { pruneQueries, type Queries, sumsOfSwaps } from '../shared/queries.ts'

/*
 * Swaps lie in the order of blocks. Their index by time holds every sixteenth block, so that these
 * queries find the blocks of a time by it and compare the times of the swaps themselves.
 */

/** The condition of the index by time, as its migration words it. */
export const timedSwaps = 'block % 16 = 0'

const noBlockAbove = Number.MAX_SAFE_INTEGER

/** A block before all swaps that are later than this parameter or number. */
export const blockUntil = (ts: string): string => `COALESCE((SELECT block FROM swaps
      WHERE ${timedSwaps} AND ts <= ${ts} ORDER BY ts DESC LIMIT 1), -1)`

/** A block behind all swaps up to this parameter or number. */
export const blockBehind = (ts: string): string => `COALESCE((SELECT block FROM swaps
      WHERE ${timedSwaps} AND ts > ${ts} ORDER BY ts LIMIT 1), ${noBlockAbove})`

/** With the parameters of the shared queries, by their place. */
export const swapQueries: Pick<Queries, 'volume' | 'oldestSwap' | 'timedSwap'> = {
  // By an expression: an index by pool would read the rows in the order of pools.
  volume: `SELECT pool, ${sumsOfSwaps} FROM swaps
    WHERE block > MAX(?3, ${blockUntil('?1')}) AND block < ${blockBehind('?2')}
      AND ts > ?1 AND ts <= ?2
    GROUP BY +pool ORDER BY +pool`,
  oldestSwap: 'SELECT ts FROM swaps ORDER BY block, log_index LIMIT 1',
  timedSwap: `SELECT block, ts FROM swaps
    WHERE block <= ?3 AND ts >= ?1 AND ts <= ?2 ORDER BY block DESC LIMIT 1`,
}

export const sqlitePruneQueries = {
  ...pruneQueries,
  swaps: `DELETE FROM swaps WHERE ts < ? AND (block, log_index, pool) IN
    (SELECT block, log_index, pool FROM swaps ORDER BY block, log_index LIMIT ?)`,
} as const
