import type { StoreWriter } from '../../ports/store.ts'
import type { IndexHeader } from '../../ports/store-batches.ts'
import type { Transaction, WriteConnection } from './transaction.ts'
import {
  type Change,
  coverageChange,
  coveragePassChange,
  enrichmentChange,
  headChange,
  nextHeader,
  planClaim,
  progressChange,
  stocksChange,
  tablesWithoutChain,
} from './write-plans.ts'
import { readClaimedHeader } from './writer.ts'

type Work<Tx> = (tx: Tx, stored: IndexHeader, revision: number) => Change | Promise<Change>

/** One transaction, which increments the revision if it changed anything; returns the row count. */
export type Revise<Tx extends Transaction> = (work: Work<Tx>) => Promise<number>

export const createRevise =
  <Tx extends Transaction>({ write }: WriteConnection<Tx>): Revise<Tx> =>
  (work) =>
    write(async (tx) => {
      const stored = await readClaimedHeader(tx)
      const change = await work(tx, stored, stored.revision + 1)
      const next = nextHeader(stored, change)
      if (next !== null) await tx.saveHeader(next)
      return change.rows
    })

const createClaim =
  ({ write }: WriteConnection): StoreWriter['claim'] =>
  (identity, startedTs, proof = null) =>
    write(async (tx) => {
      const plan = planClaim({ identity, startedTs, proof }, await tx.header())
      if (plan.clearsTables)
        for (const name of tablesWithoutChain) await tx.run(`DELETE FROM ${name}`)
      if (plan.header !== null) await tx.saveHeader(plan.header)
      return plan.answer
    })

/** Writes everything except the chain's events. */
export const createRecordWrites = (
  connection: WriteConnection,
): Pick<
  StoreWriter,
  | 'claim'
  | 'replaceTickMap'
  | 'recordDepths'
  | 'recordProgress'
  | 'recordSearches'
  | 'forgetSearches'
  | 'recordHead'
  | 'recordCoverage'
  | 'recordCoveragePass'
  | 'recordTraders'
  | 'recordTokens'
  | 'recordStocks'
  | 'recordSource'
  | 'recordEnrichment'
> => {
  const revise = createRevise(connection)
  const record = async (work: Work<Transaction>): Promise<void> => {
    await revise(work)
  }
  return {
    claim: createClaim(connection),
    replaceTickMap: (pool, state, ticks) =>
      record(async ({ rows }, _, revision) => {
        await rows.removeTicks([pool])
        await rows.ticks(ticks)
        await rows.states([{ pool, state }], revision)
        return { rows: 1 }
      }),
    recordDepths: (depths) =>
      record(async ({ rows }, _, revision) => ({ rows: await rows.depths(depths, revision) })),
    recordProgress: (backfill) => record((_, stored) => progressChange(stored, backfill)),
    recordSearches: (searches) =>
      record(async ({ rows }) => ({ rows: await rows.searches(searches) })),
    forgetSearches: (addresses) =>
      record(async ({ rows }) => ({ rows: await rows.removeSearches(addresses) })),
    recordHead: (head) => record((_, stored) => headChange(stored, head)),
    recordCoverage: (coverage) => record((_, stored) => coverageChange(stored, coverage)),
    recordCoveragePass: (pass) => record((_, stored) => coveragePassChange(stored, pass)),
    recordTraders: (traders) => record(async ({ rows }) => ({ rows: await rows.traders(traders) })),
    recordTokens: (tokens) =>
      record(async ({ rows }, _, revision) => ({ rows: await rows.tokens(tokens, revision) })),
    recordStocks: (stocks, passTs) =>
      record(async ({ rows }, stored, revision) =>
        stocksChange(stored, passTs, await rows.stocks(stocks, revision)),
      ),
    recordSource: (source) => record(async ({ rows }) => ({ rows: await rows.sources([source]) })),
    recordEnrichment: (pass) =>
      record(async ({ rows }, stored, revision) => {
        const changed =
          (await rows.quotes(pass.quotes)) +
          (await rows.references(pass.references)) +
          (await rows.reserves(pass.reserves)) +
          (await rows.lastHot(pass.hot, revision))
        return enrichmentChange(stored, pass.ts, changed)
      }),
  }
}
