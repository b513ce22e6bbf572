import type { StoreWriter } from '../../ports/store.ts'
import { type Mutex, serialized } from '../../util/mutex.ts'
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
  mutex: Mutex,
): Omit<StoreWriter, keyof PageReads> => {
  const header = createHeaderRow(connection)
  const revise = createRevise(connection, header)
  const records = createRecords(connection, header, revise)
  const writeBatch = createBatchWriter(connection)
  const branch = createBranchReads(connection)
  return {
    begin: serialized(mutex, records.begin),
    commit: serialized(mutex, createCommit(connection, header, writeBatch)),
    replaceMap: serialized(mutex, records.replaceMap),
    recordReading: serialized(mutex, createRecordReading(connection, header)),
    dropReading: serialized(mutex, createDropReading(connection, header)),
    adopt: serialized(mutex, createAdopt(connection, header)),
    fillHistory: serialized(mutex, createFillHistory(connection, header)),
    recordBackfill: serialized(mutex, records.recordBackfill),
    recordSearched: serialized(mutex, records.recordSearched),
    replaceBranch: serialized(mutex, createReplaceBranch(connection, header, writeBatch)),
    settle: serialized(mutex, createSettle(connection, header)),
    recordHead: serialized(mutex, records.recordHead),
    recordTokens: serialized(mutex, records.recordTokens),
    recordStocks: serialized(mutex, records.recordStocks),
    recordSource: serialized(mutex, records.recordSource),
    recordEnrichment: serialized(mutex, records.recordEnrichment),
    prune: createPrune(connection, mutex, revise),
    readReading: serialized(mutex, createReadingRead(connection)),
    readLiquidityAfter: serialized(mutex, createLiquidityRead(connection)),
    readAnchor: serialized(mutex, branch.readAnchor),
    readEvents: serialized(mutex, branch.readEvents),
    readTouched: serialized(mutex, branch.readTouched),
    readPast: serialized(mutex, branch.readPast),
  }
}
