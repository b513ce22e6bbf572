import type { UnixSeconds } from '../../domain/units.ts'
import type { StoreWriter } from '../../ports/store.ts'
import { pruneQueries } from './queries.ts'
import type { Revise } from './records.ts'
import type { Transaction } from './transaction.ts'

type PrunedTable = keyof typeof pruneQueries

type Pruning<Tx extends Transaction> = {
  readonly revise: Revise<Tx>
  /** Rows of one transaction. */
  readonly chunkRows: number
  /** After each of them. */
  readonly rest?: () => Promise<unknown>
  /** Removes what can go without looking at each row; returns how many rows went. */
  readonly dropDays?: (table: PrunedTable, beforeTs: UnixSeconds) => Promise<number>
}

/** In bounded transactions, so that other writes come in between. */
export const createPrune =
  <Tx extends Transaction>({
    revise,
    chunkRows,
    rest,
    dropDays,
  }: Pruning<Tx>): StoreWriter['prune'] =>
  async ({ swapsBeforeTs, minuteRowsBeforeTs }) => {
    const limits: readonly (readonly [PrunedTable, UnixSeconds])[] = [
      ['swaps', swapsBeforeTs],
      ['blocks', swapsBeforeTs],
      ['candles', minuteRowsBeforeTs],
      ['references', minuteRowsBeforeTs],
    ]
    let removed = 0
    for (const [table, beforeTs] of limits) {
      removed += (await dropDays?.(table, beforeTs)) ?? 0
      let rows = chunkRows
      while (rows === chunkRows) {
        const values = [beforeTs, chunkRows]
        rows = await revise(async ({ run }) => ({ rows: await run(pruneQueries[table], values) }))
        removed += rows
        await rest?.()
      }
    }
    return removed
  }
