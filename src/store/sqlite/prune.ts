import { setImmediate } from 'node:timers/promises'
import type { UnixSeconds } from '../../domain/units.ts'
import type { StoreWriter } from '../../ports/store.ts'
import type { Connection, Statement } from './connection.ts'
import type { Revise } from './records.ts'
import type { Turns } from './turns.ts'

/** A transaction that a thread which also serves can spare, a few milliseconds. */
const chunkRows = 500

/** Oldest first by an index, so that a chunk never looks at more rows than it removes. */
export const pruneQueries = {
  swaps: `DELETE FROM swaps WHERE (pool, block, log_index) IN
    (SELECT pool, block, log_index FROM swaps WHERE ts < ? ORDER BY ts LIMIT ?)`,
  // The indexed block is the fence, however old it is.
  blocks: `DELETE FROM blocks WHERE ts < ? AND block < (SELECT indexed_block FROM header)
    AND block IN (SELECT block FROM blocks ORDER BY block LIMIT ?)`,
  candles: `DELETE FROM candles WHERE (pool, width, ts) IN
    (SELECT pool, width, ts FROM candles WHERE width = 60 AND ts < ? ORDER BY ts LIMIT ?)`,
  references: `DELETE FROM reference_points WHERE (address, width, ts) IN
    (SELECT address, width, ts FROM reference_points
      WHERE width = 60 AND ts < ? ORDER BY ts LIMIT ?)`,
} as const

export const createPrune = (
  connection: Connection,
  turns: Turns,
  revise: Revise,
): StoreWriter['prune'] => {
  const removeSwaps = connection.prepare(pruneQueries.swaps)
  const removeBlocks = connection.prepare(pruneQueries.blocks)
  const removeCandles = connection.prepare(pruneQueries.candles)
  const removeReferences = connection.prepare(pruneQueries.references)
  const removeChunk = (remove: Statement, beforeTs: UnixSeconds): number => {
    let rows = 0
    revise(() => {
      rows = remove.run([beforeTs, chunkRows])
      return { rows }
    })
    return rows
  }
  return async ({ swapsBeforeTs, minuteRowsBeforeTs }) => {
    const sweeps = [
      { remove: removeSwaps, beforeTs: swapsBeforeTs },
      { remove: removeBlocks, beforeTs: swapsBeforeTs },
      { remove: removeCandles, beforeTs: minuteRowsBeforeTs },
      { remove: removeReferences, beforeTs: minuteRowsBeforeTs },
    ]
    let removed = 0
    for (const { remove, beforeTs } of sweeps) {
      let rows = chunkRows
      while (rows === chunkRows) {
        rows = await turns(() => removeChunk(remove, beforeTs))
        removed += rows
        // The thread's other work comes in between, and so do other writes.
        await setImmediate()
      }
    }
    return removed
  }
}
