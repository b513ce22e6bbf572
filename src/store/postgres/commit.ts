import type { StoreWriter } from '../../ports/store.ts'
import type { Batch } from '../../ports/store-rows.ts'
import { mayBeIn, planCommit } from '../shared/standing.ts'
import { columnsOf } from '../shared/table.ts'
import { blocks } from '../shared/tables.ts'
import { claimedHeader, saveHeader } from './header.ts'
import {
  addCandles,
  addReferences,
  addSwaps,
  insertLiquidity,
  insertPools,
  putTicks,
  setStates,
  writeBlocks,
} from './row-writers.ts'
import { readFirst } from './session.ts'
import type { Transaction, Writing } from './writing.ts'

/** Writes the rows of a batch; each table in the batch's own order, which is the chain's. */
export const writeBatch = async (
  tx: Transaction,
  batch: Batch,
  revision: number,
): Promise<void> => {
  await writeBlocks(tx, [...batch.blocks, batch.to])
  await insertPools(tx, batch.pools, revision)
  await setStates(tx, batch.states, revision)
  await putTicks(tx, batch.ticks)
  await addSwaps(tx, batch.swaps)
  await insertLiquidity(tx, batch.liquidity)
  await addCandles(tx, batch.candles)
  await addReferences(tx, batch.references)
}

const blockText = `SELECT ${columnsOf(blocks)} FROM blocks WHERE block = ?`

export const createCommit =
  ({ write }: Writing): StoreWriter['commit'] =>
  (batch) =>
    write(async (tx) => {
      const stored = await claimedHeader(tx)
      const isAsked = mayBeIn(batch, stored)
      const kept = isAsked ? await readFirst(tx, blocks, blockText, [batch.to.block]) : null
      const plan = planCommit(batch, stored, kept?.hash ?? null)
      if (plan.header !== null) {
        await writeBatch(tx, batch, plan.header.revision)
        await saveHeader(tx, plan.header)
      }
      return plan.answer
    })
