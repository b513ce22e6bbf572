import type { StoreWriter } from '../../ports/store.ts'
import { inTurn, type Turns } from '../shared/turns.ts'
import { createAdopt } from './adopt.ts'
import { createReplaceBranch, createSettle } from './branch.ts'
import { createBranchReads } from './branch-reads.ts'
import { createBatchWriter, createCommit } from './commit.ts'
import type { Connection } from './connection.ts'
import { createDropReading, createReadingRead, createRecordReading } from './first-reading.ts'
import { createHeaderRow } from './header.ts'
import { createFillHistory, createLiquidityRead } from './history.ts'
import type { PageReads } from './page-reads.ts'
import { createPrune } from './prune.ts'
import { createRecords, createRevise } from './records.ts'

export const createWriter = (
  connection: Connection,
  turns: Turns,
): Omit<StoreWriter, keyof PageReads> => {
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
    readReading: inTurn(turns, createReadingRead(connection)),
    readLiquidityAfter: inTurn(turns, createLiquidityRead(connection)),
    readAnchor: inTurn(turns, branch.readAnchor),
    readEvents: inTurn(turns, branch.readEvents),
    readTouched: inTurn(turns, branch.readTouched),
    readPast: inTurn(turns, branch.readPast),
  }
}
