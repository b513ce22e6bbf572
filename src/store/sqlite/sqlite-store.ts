import { failure, type Outcome, success } from '../../domain/outcome.ts'
import type { StoredTick } from '../../domain/pool/stored-events.ts'
import type { Store, StoreReader, StoreWriter } from '../../ports/store.ts'
import { createAdopt } from './adopt.ts'
import { createReplaceBranch, createSettle } from './branch.ts'
import { createBranchReads } from './branch-reads.ts'
import { createBatchWriter, createCommit } from './commit.ts'
import type { Connection } from './connection.ts'
import { createDropReading, createReadingRead, createRecordReading } from './first-reading.ts'
import { createHeaderRow } from './header.ts'
import { createFillHistory, createLiquidityRead } from './history.ts'
import { memoryPath, openReader, openWriter } from './open.ts'
import { createPrune } from './prune.ts'
import { createReader } from './reader.ts'
import { createRecords, createRevise } from './records.ts'
import { columnsOf } from './table.ts'
import { ticks } from './tables.ts'
import { createTurns, inTurn, type Turns } from './turns.ts'

/** A page of ticks is read in a few milliseconds. */
const tickPageRows = 2_000

export const tickPageQuery = `SELECT ${columnsOf(ticks)} FROM ticks
  WHERE (pool, tick) > (?, ?) ORDER BY pool, tick LIMIT ${tickPageRows}`

/** By pages, never with a cursor left open: a commit in between disturbs nothing. */
const createTickRead = (connection: Connection, turns: Turns): StoreWriter['readTicks'] => {
  const page = connection.prepare(tickPageQuery)
  return async function* (): AsyncGenerator<StoredTick> {
    let last: { readonly pool: number; readonly tick: number } | undefined = { pool: -1, tick: 0 }
    while (last !== undefined) {
      const from: readonly [number, number] = [last.pool, last.tick]
      const records: readonly StoredTick[] = await turns(() => page.all(from).map(ticks.fromRow))
      yield* records
      last = records.length < tickPageRows ? undefined : records.at(-1)
    }
  }
}

const createWriter = (connection: Connection, turns: Turns): StoreWriter => {
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

type Line = { readonly connection: Connection; readonly turns: Turns }

const readingLine = (path: string): Outcome<Line, string> => {
  const opened = openReader(path)
  return opened.ok ? success({ connection: opened.value, turns: createTurns() }) : opened
}

/** After whatever was asked for before. */
const hangUp = ({ connection, turns }: Line): Promise<void> => turns(connection.close)

/**
 * The default store: one file (`path`, created with its folder) or, with `:memory:`, nothing that
 * outlives the process. One writer; any number of readers beside it, in other threads and
 * processes too. In memory a snapshot and a write wait for each other, so that a write awaited
 * inside a snapshot would wait for ever. The fault is one line that names the path.
 */
export const createSqliteStore = ({ path }: { readonly path: string }): Outcome<Store, string> => {
  const opened = openWriter(path)
  if (!opened.ok) return opened
  const writing: Line = { connection: opened.value, turns: createTurns() }
  const reading = path === memoryPath ? success(writing) : readingLine(path)
  if (!reading.ok) {
    writing.connection.close()
    return failure(reading.fault)
  }
  return success({
    ...createWriter(writing.connection, writing.turns),
    ...createReader(reading.value.connection, reading.value.turns),
    close: async () => {
      await hangUp(reading.value)
      // Last, because the last connection to close folds the log into the file.
      if (reading.value !== writing) await hangUp(writing)
    },
  })
}

export type SqliteReader = StoreReader & Pick<Store, 'close'>

/** For a process that only reads what another one writes. */
export const createSqliteReader = ({
  path,
}: {
  readonly path: string
}): Outcome<SqliteReader, string> => {
  const reading = readingLine(path)
  if (!reading.ok) return reading
  const { connection, turns } = reading.value
  return success({
    ...createReader(connection, turns),
    close: () => hangUp(reading.value),
  })
}
