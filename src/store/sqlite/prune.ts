import { setImmediate } from 'node:timers/promises'
import type { UnixSeconds } from '../../domain/units.ts'
import type { StoreWriter } from '../../ports/store.ts'
import type { Mutex } from '../../util/mutex.ts'
import { pruneQueries } from '../shared/queries.ts'
import type { Connection, Statement } from './connection.ts'
import type { Revise } from './records.ts'

/** A transaction that a thread which also serves can spare, a few milliseconds. */
const chunkRows = 500

export const createPrune = (
  connection: Connection,
  mutex: Mutex,
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
        rows = await mutex(() => removeChunk(remove, beforeTs))
        removed += rows
        // The thread's other work comes in between, and so do other writes.
        await setImmediate()
      }
    }
    return removed
  }
}
