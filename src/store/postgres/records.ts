import type { StoreWriter } from '../../ports/store.ts'
import type { StoreHeader } from '../../ports/store-rows.ts'
import {
  backfillChange,
  type Change,
  enrichmentChange,
  headChange,
  headerAfter,
} from '../shared/change.ts'
import { planClaim, tablesBeforeChain } from '../shared/standing.ts'
import { quotes, reserves, sources, stocks } from '../shared/tables.ts'
import { tokens } from '../shared/token-table.ts'
import { claimedHeader, createHeader, lockHeader, saveHeader } from './header.ts'
import { replacement } from './insertion.ts'
import { addReferences, addSearched, putTicks, setLastHot, setStates } from './row-writers.ts'
import type { Transaction, Writing } from './writing.ts'

export type Records = Pick<
  StoreWriter,
  | 'begin'
  | 'replaceMap'
  | 'recordBackfill'
  | 'recordSearched'
  | 'recordHead'
  | 'recordTokens'
  | 'recordStocks'
  | 'recordSource'
  | 'recordEnrichment'
>

type Work = (tx: Transaction, stored: StoreHeader, revision: number) => Promise<Change>

/** One transaction, and one revision more if it changed anything; answers how many rows it did. */
export type Revise = (work: Work) => Promise<number>

export const createRevise =
  ({ write }: Writing): Revise =>
  (work) =>
    write(async (tx) => {
      const stored = await claimedHeader(tx)
      const change = await work(tx, stored, stored.revision + 1)
      const next = headerAfter(stored, change)
      if (next !== null) await saveHeader(tx, next)
      return change.rows
    })

const carriedRevision = [
  { name: 'revision', kind: 'integer', of: (_: unknown, revision: number) => revision },
] as const

/** Rows keyed by address that carry the revision of their last change. */
const writeTokens = replacement(tokens, ['address'], carriedRevision)
const writeStocks = replacement(stocks, ['address'], carriedRevision)
const writeSources = replacement(sources, ['source'])
const writeQuotes = replacement(quotes, ['address', 'source'])
const writeReserves = replacement(reserves, ['pool', 'source'])

const createBegin =
  ({ write }: Writing): StoreWriter['begin'] =>
  (identity, startedTs) =>
    write(async (tx) => {
      const stored = await lockHeader(tx)
      const plan = planClaim(identity, startedTs, stored)
      if (plan.clears) for (const name of tablesBeforeChain) await tx.run(`DELETE FROM ${name}`)
      if (plan.header !== null) {
        await (stored === null ? createHeader : saveHeader)(tx, plan.header)
      }
      return plan.answer
    })

const createEnrichmentWriter =
  (revise: Revise): StoreWriter['recordEnrichment'] =>
  async (pass) => {
    await revise(async (tx, stored, revision) => {
      const rows =
        (await writeQuotes(tx, pass.quotes)) +
        (await addReferences(tx, pass.references)) +
        (await writeReserves(tx, pass.reserves)) +
        (await setLastHot(tx, pass.hot, revision))
      return enrichmentChange(stored, pass.ts, rows)
    })
  }

/** Everything that is written besides the batches of the chain. */
export const createRecords = (writing: Writing, revise: Revise): Records => {
  const record = async (work: Work): Promise<void> => {
    await revise(work)
  }
  return {
    begin: createBegin(writing),
    replaceMap: (pool, state, ticks) =>
      record(async (tx, _, revision) => {
        await tx.run('DELETE FROM ticks WHERE pool = ?', [pool])
        await putTicks(tx, ticks)
        await setStates(tx, [{ pool, state }], revision)
        return { rows: 1 }
      }),
    recordBackfill: (backfill) => record(async (_, stored) => backfillChange(stored, backfill)),
    recordSearched: (stocks) => record(async (tx) => ({ rows: await addSearched(tx, stocks) })),
    recordHead: (head) => record(async (_, stored) => headChange(stored, head)),
    recordTokens: (records) =>
      record(async (tx, _, revision) => ({ rows: await writeTokens(tx, records, revision) })),
    recordStocks: (records) =>
      record(async (tx, _, revision) => ({ rows: await writeStocks(tx, records, revision) })),
    recordSource: (each) => record(async (tx) => ({ rows: await writeSources(tx, [each]) })),
    recordEnrichment: createEnrichmentWriter(revise),
  }
}
