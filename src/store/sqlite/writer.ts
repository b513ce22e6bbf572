import type { PoolNumber } from '../../domain/pool/pool-state.ts'
import type { StoredTick } from '../../domain/pool/stored-events.ts'
import type { StoreWriter } from '../../ports/store.ts'
import { tickPageQuery } from '../shared/queries.ts'
import { ticks } from '../shared/tables.ts'
import { inTurn, type Turns } from '../shared/turns.ts'
import { createAdopt } from './adopt.ts'
import { createReplaceBranch, createSettle } from './branch.ts'
import { createBranchReads } from './branch-reads.ts'
import { createBatchWriter, createCommit } from './commit.ts'
import type { Connection } from './connection.ts'
import { createDropReading, createReadingRead, createRecordReading } from './first-reading.ts'
import { createHeaderRow } from './header.ts'
import { createFillHistory, createLiquidityRead } from './history.ts'
import { createPrune } from './prune.ts'
import { createRecords, createRevise } from './records.ts'

/** A page of ticks is read in a few milliseconds. */
const tickPageRows = 2_000

/** What every store's writer is, but for ticks: they are asked for page by page. */
export type PagedWriter = Omit<StoreWriter, 'readTicks'> & {
  /** The ticks after this one, in (pool, tick) order; fewer than a page are the last. */
  readonly readTickPage: (after: TickPlace) => Promise<readonly StoredTick[]>
}

type TickPlace = readonly [pool: PoolNumber, tick: number]

const beforeAllTicks: TickPlace = [-1, 0]

/** By pages, never with a cursor left open: a commit in between disturbs nothing. */
export const withTicks = ({ readTickPage, ...writer }: PagedWriter): StoreWriter => ({
  ...writer,
  readTicks: async function* (): AsyncGenerator<StoredTick> {
    let from: TickPlace | null = beforeAllTicks
    while (from !== null) {
      const page: readonly StoredTick[] = await readTickPage(from)
      yield* page
      const last = page.length < tickPageRows ? undefined : page.at(-1)
      from = last === undefined ? null : [last.pool, last.tick]
    }
  },
})

export const createWriter = (connection: Connection, turns: Turns): PagedWriter => {
  const tickPage = connection.prepare(tickPageQuery)
  const header = createHeaderRow(connection)
  const revise = createRevise(connection, header)
  const records = createRecords(connection, header, revise)
  const writeBatch = createBatchWriter(connection)
  const branch = createBranchReads(connection)
  return {
    begin: inTurn(turns, records.begin),
    commit: inTurn(turns, createCommit(connection, header, writeBatch)),
    replaceMap: inTurn(turns, records.replaceMap),
    recordReading: inTurn(turns, createRecordReading(connection, header)),
    dropReading: inTurn(turns, createDropReading(connection, header)),
    adopt: inTurn(turns, createAdopt(connection, header)),
    fillHistory: inTurn(turns, createFillHistory(connection, header)),
    recordBackfill: inTurn(turns, records.recordBackfill),
    recordSearched: inTurn(turns, records.recordSearched),
    replaceBranch: inTurn(turns, createReplaceBranch(connection, header, writeBatch)),
    settle: inTurn(turns, createSettle(connection, header)),
    recordHead: inTurn(turns, records.recordHead),
    recordTokens: inTurn(turns, records.recordTokens),
    recordStocks: inTurn(turns, records.recordStocks),
    recordSource: inTurn(turns, records.recordSource),
    recordEnrichment: inTurn(turns, records.recordEnrichment),
    prune: createPrune(connection, turns, revise),
    readTickPage: inTurn(turns, (after) =>
      tickPage.all([...after, tickPageRows]).map(ticks.fromRow),
    ),
    readReading: inTurn(turns, createReadingRead(connection)),
    readLiquidityAfter: inTurn(turns, createLiquidityRead(connection)),
    readAnchor: inTurn(turns, branch.readAnchor),
    readEvents: inTurn(turns, branch.readEvents),
    readTouched: inTurn(turns, branch.readTouched),
    readPast: inTurn(turns, branch.readPast),
  }
}
