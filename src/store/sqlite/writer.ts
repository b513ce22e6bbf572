import type { StoredTick } from '../../domain/pool/stored-events.ts'
import type { StoreWriter } from '../../ports/store.ts'
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
import { textQueries } from './text-queries.ts'

/** A page of ticks is read in a few milliseconds. */
const tickPageRows = 2_000

/** By pages, never with a cursor left open: a commit in between disturbs nothing. */
const createTickRead = (connection: Connection, turns: Turns): StoreWriter['readTicks'] => {
  const page = connection.prepare(textQueries.tickPage)
  return async function* (): AsyncGenerator<StoredTick> {
    let last: { readonly pool: number; readonly tick: number } | undefined = { pool: -1, tick: 0 }
    while (last !== undefined) {
      const from: readonly number[] = [last.pool, last.tick, tickPageRows]
      const records: readonly StoredTick[] = await turns(() => page.all(from).map(ticks.fromRow))
      yield* records
      last = records.length < tickPageRows ? undefined : records.at(-1)
    }
  }
}

export const createWriter = (connection: Connection, turns: Turns): StoreWriter => {
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
    readTicks: createTickRead(connection, turns),
    readReading: inTurn(turns, createReadingRead(connection)),
    readLiquidityAfter: inTurn(turns, createLiquidityRead(connection)),
    readAnchor: inTurn(turns, branch.readAnchor),
    readEvents: inTurn(turns, branch.readEvents),
    readTouched: inTurn(turns, branch.readTouched),
    readPast: inTurn(turns, branch.readPast),
  }
}
