import { candleWidths } from '../../domain/pool/stored-events.ts'
import type { StoreWriter } from '../../ports/store.ts'
import type { Replacement } from '../../ports/store-rows.ts'
import { removalQueries } from '../shared/queries.ts'
import { planReplacement, planSettling } from '../shared/standing.ts'
import { writeBatch } from './commit.ts'
import { claimedHeader, saveHeader } from './header.ts'
import { addCandles, putTicks, setStates } from './row-writers.ts'
import { arrayOf } from './values.ts'
import type { Transaction, Writing } from './writing.ts'

/** Of many pools at once: by their buckets that the ancestor lies in, and those after. */
const candlesText = `DELETE FROM candles
  WHERE pool = ANY(?::BIGINT[]) AND width = ? AND ts >= ?`

const ticksText = 'DELETE FROM ticks WHERE pool = ANY(?::BIGINT[])'

const byBlock = [
  removalQueries.liquidity,
  removalQueries.blocks,
  removalQueries.createdTicks,
  removalQueries.createdCandles,
  removalQueries.createdReserves,
  removalQueries.pools,
]

const remove = async (tx: Transaction, { ancestor, restored }: Replacement): Promise<void> => {
  const { block, ts } = ancestor ?? { block: -1, ts: 0 }
  await tx.run(removalQueries.swaps, [ts, block])
  for (const sql of byBlock) await tx.run(sql, [block])
  const pools = arrayOf(
    'integer',
    restored.map(({ pool }) => pool),
  )
  for (const width of candleWidths) await tx.run(candlesText, [pools, width, ts - (ts % width)])
  await tx.run(ticksText, [pools])
}

const restore = async (
  tx: Transaction,
  { restored }: Replacement,
  revision: number,
): Promise<void> => {
  await setStates(tx, restored, revision)
  await putTicks(
    tx,
    restored.flatMap(({ ticks }) => ticks),
  )
  await addCandles(
    tx,
    restored.flatMap(({ candles }) => candles),
  )
}

export const createReplaceBranch =
  ({ write }: Writing): StoreWriter['replaceBranch'] =>
  (replacement) =>
    write(async (tx) => {
      const plan = planReplacement(replacement, await claimedHeader(tx))
      if (plan.header !== null) {
        const { revision } = plan.header
        await remove(tx, replacement)
        await restore(tx, replacement, revision)
        await writeBatch(tx, replacement.branch, revision)
        await saveHeader(tx, plan.header)
      }
      return plan.answer
    })

export const createSettle =
  ({ write }: Writing): StoreWriter['settle'] =>
  (settling) =>
    write(async (tx) => {
      const plan = planSettling(settling, await claimedHeader(tx))
      if (plan.header !== null) await saveHeader(tx, plan.header)
      return plan.answer
    })
