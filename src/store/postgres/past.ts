import type { StoreWriter } from '../../ports/store.ts'
import type { Adoption, FirstReading, HistoryBatch, ReadingBatch } from '../../ports/store-rows.ts'
import { firstReadingQueries } from '../shared/queries.ts'
import { firstMaps, readingOf, standings } from '../shared/reading-table.ts'
import {
  planAdoption,
  planDrop,
  planHistory,
  planReading,
  tablesOfChain,
} from '../shared/standing.ts'
import { claimedHeader, saveHeader } from './header.ts'
import { insertion, replacement } from './insertion.ts'
import {
  addCandles,
  addEarlierCandles,
  addEarlierReferences,
  addSearched,
  addSwaps,
  fillLastSwaps,
  insertLiquidity,
  insertPools,
  putTicks,
  setStates,
  writeBlocks,
} from './row-writers.ts'
import { readAll, readFirst, type Session } from './session.ts'
import type { Transaction, Writing } from './writing.ts'

/** How far a first reading is, without its maps. */
const standingOf = async (session: Session): Promise<Omit<FirstReading, 'maps'> | null> => {
  const standing = await readFirst(session, standings, firstReadingQueries.standing)
  return standing === null ? null : readingOf(standing)
}

export const readReading = async (session: Session): Promise<FirstReading | null> => {
  const reading = await standingOf(session)
  if (reading === null) return null
  return { ...reading, maps: await readAll(session, firstMaps, firstReadingQueries.maps) }
}

const forgetReading = async (tx: Transaction): Promise<void> => {
  await tx.run('DELETE FROM first_reading')
  await tx.run('DELETE FROM first_maps')
}

const writeAdoption = async (
  tx: Transaction,
  adoption: Adoption,
  revision: number,
): Promise<void> => {
  await writeBlocks(tx, [...adoption.blocks, adoption.at])
  await insertPools(tx, adoption.pools, revision)
  await setStates(tx, adoption.states, revision)
  await putTicks(tx, adoption.ticks)
  await addSwaps(tx, adoption.swaps)
  await insertLiquidity(tx, adoption.liquidity)
  await addCandles(tx, adoption.candles)
  await addEarlierReferences(tx, adoption.references)
  await addSearched(tx, adoption.searched)
}

/** Pools with their past: those of an empty store, or those of a stock that came later. */
export const createAdopt =
  ({ write }: Writing): StoreWriter['adopt'] =>
  (adoption) =>
    write(async (tx) => {
      const stored = await claimedHeader(tx)
      const plan = planAdoption(adoption, stored, await standingOf(tx))
      if (plan.header !== null) {
        await writeAdoption(tx, adoption, plan.header.revision)
        await forgetReading(tx)
        await saveHeader(tx, plan.header)
      }
      return plan.answer
    })

const writeHistory = async (
  tx: Transaction,
  batch: HistoryBatch,
  revision: number,
): Promise<void> => {
  await writeBlocks(tx, batch.blocks)
  await addSwaps(tx, batch.swaps)
  await insertLiquidity(tx, batch.liquidity)
  await addEarlierCandles(tx, batch.candles)
  await addEarlierReferences(tx, batch.references)
  await fillLastSwaps(tx, batch.lastSwaps, revision)
}

/** Ranges of the past, newest first, each let in exactly once. */
export const createFillHistory =
  ({ write }: Writing): StoreWriter['fillHistory'] =>
  (batch) =>
    write(async (tx) => {
      const plan = planHistory(batch, await claimedHeader(tx))
      if (plan.header !== null) {
        await writeHistory(tx, batch, plan.header.revision)
        await saveHeader(tx, plan.header)
      }
      return plan.answer
    })

const sets = standings.columns.map((name) => `${name} = excluded.${name}`).join(', ')
const writeStanding = insertion(standings, {
  carried: [{ name: 'id', kind: 'integer', of: () => 1 }],
  conflict: `ON CONFLICT (id) DO UPDATE SET ${sets}`,
})
const writeMaps = replacement(firstMaps, ['pool'])

const writeReading = async (
  tx: Transaction,
  batch: ReadingBatch,
  revision: number,
): Promise<void> => {
  const { before, to, foundTo } = batch
  const row = { steps: before + 1, toBlock: to.block, toHash: to.hash, toTs: to.ts, foundTo }
  await writeStanding(tx, [row])
  await addSearched(tx, batch.searched)
  await insertPools(tx, batch.pools, revision)
  await setStates(tx, batch.states, revision)
  await putTicks(tx, batch.ticks)
  await writeMaps(tx, batch.maps)
}

/** Steps of a first reading, each let in exactly once; none once a block is indexed. */
export const createRecordReading =
  ({ write }: Writing): StoreWriter['recordReading'] =>
  (batch) =>
    write(async (tx) => {
      const stored = await claimedHeader(tx)
      const plan = planReading(batch, stored, (await standingOf(tx))?.steps ?? 0)
      if (plan.header !== null) {
        await writeReading(tx, batch, plan.header.revision)
        await saveHeader(tx, plan.header)
      }
      return plan.answer
    })

export const createDropReading =
  ({ write }: Writing): StoreWriter['dropReading'] =>
  (indexed) =>
    write(async (tx) => {
      const plan = planDrop(indexed, await claimedHeader(tx))
      if (plan.header !== null) {
        for (const name of tablesOfChain) await tx.run(`DELETE FROM ${name}`)
        await saveHeader(tx, plan.header)
      }
      return plan.answer
    })
