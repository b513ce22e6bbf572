import { blocksKeptSinceTs } from '../../domain/chain/kept-blocks.ts'
import type { UnixSeconds } from '../../domain/units.ts'
import type { StoreWriter } from '../../ports/store.ts'
import { integer } from './codec.ts'
import type { pruneQueries } from './queries.ts'
import type { Revise } from './records.ts'
import type { Shape } from './session.ts'
import type { Transaction } from './transaction.ts'

type PrunedTable = keyof typeof pruneQueries

type PruneDeps<Tx extends Transaction> = {
  readonly revise: Revise<Tx>
  readonly queries: Readonly<Record<PrunedTable, string>>
  readonly oldestSwapQuery: string
  /** Rows of one transaction. */
  readonly chunkRows: number
  /** Runs after each transaction. */
  readonly pause?: () => Promise<unknown>
  /** Drops complete days without reading their rows; returns how many rows they had. */
  readonly dropDays?: (table: PrunedTable, beforeTs: UnixSeconds) => Promise<number>
}

const times: Shape<UnixSeconds> = {
  forms: [integer.form],
  fromRow: ([ts]) => integer.fromColumn(ts),
}

/** Deletes in bounded transactions, so that other writes can run between them. */
export const createPrune =
  <Tx extends Transaction>({
    revise,
    queries,
    oldestSwapQuery,
    chunkRows,
    pause,
    dropDays,
  }: PruneDeps<Tx>): StoreWriter['prune'] =>
  async ({ swapsBeforeTs, minuteRowsBeforeTs }) => {
    const limits: readonly (readonly [PrunedTable, UnixSeconds])[] = [
      ['swaps', swapsBeforeTs],
      ['blocks', swapsBeforeTs],
      ['candles', minuteRowsBeforeTs],
      ['references', minuteRowsBeforeTs],
    ]
    let removed = 0
    // Before the first deletion: an interrupted one must not look complete.
    await revise(async ({ first }, { swapsKeptSince }) => {
      const oldestTs = await first(times, oldestSwapQuery)
      const isMarked = swapsKeptSince !== null && swapsKeptSince >= swapsBeforeTs
      const isNews = oldestTs !== null && oldestTs < swapsBeforeTs && !isMarked
      return { rows: 0, ...(isNews ? { header: { swapsKeptSince: swapsBeforeTs } } : {}) }
    })
    for (const [table, beforeTs] of limits) {
      removed += (await dropDays?.(table, beforeTs)) ?? 0
      let rows = chunkRows
      while (rows === chunkRows) {
        rows = await revise(async ({ run }, stored) => {
          const limit =
            table === 'blocks'
              ? Math.max(beforeTs, blocksKeptSinceTs(stored.finalizedCursor))
              : beforeTs
          return { rows: await run(queries[table], [limit, chunkRows]) }
        })
        removed += rows
        await pause?.()
      }
    }
    return removed
  }
