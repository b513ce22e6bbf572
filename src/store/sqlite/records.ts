import type { StoreWriter } from '../../ports/store.ts'
import type { StoreHeader } from '../../ports/store-rows.ts'
import type { Sync } from '../../util/mutex.ts'
import {
  backfillChange,
  type Change,
  enrichmentChange,
  headChange,
  headerAfter,
} from '../shared/change.ts'
import { type Table, upsertInto } from '../shared/table.ts'
import { quotes, reserves, sources, stocks } from '../shared/tables.ts'
import { tokens } from '../shared/token-table.ts'
import { createBegin } from './claim.ts'
import type { Connection } from './connection.ts'
import type { HeaderRow } from './header.ts'
import {
  createPoolWriter,
  createReferenceWriter,
  createSearchedWriter,
  createTickWriter,
  type RowWriter,
  rowWriter,
} from './row-writers.ts'

export type Records = {
  readonly [Name in
    | 'begin'
    | 'replaceMap'
    | 'recordBackfill'
    | 'recordSearched'
    | 'recordHead'
    | 'recordTokens'
    | 'recordStocks'
    | 'recordSource'
    | 'recordEnrichment']: Sync<StoreWriter[Name]>
}

export type Revise = (work: (stored: StoreHeader, revision: number) => Change) => void

/** One transaction, and one revision more if it changed anything. */
export const createRevise =
  (connection: Connection, header: HeaderRow): Revise =>
  (work) =>
    connection.write(() => {
      const stored = header.claimed()
      const next = headerAfter(stored, work(stored, stored.revision + 1))
      if (next !== null) header.save(next)
    })

const sum = <T>(records: readonly T[], write: RowWriter<T>): number =>
  records.reduce((rows, record) => rows + write(record), 0)

/** Rows keyed by address that carry the revision of their last change. */
const createDirectoryWriter = <T>(connection: Connection, table: Table<T>) => {
  const sql = upsertInto(table, { key: ['address'], carried: ['revision'] })
  const statement = connection.prepare(sql)
  return (records: readonly T[], revision: number): number =>
    sum(records, (record) => statement.run([...table.toRow(record), revision]))
}

const createEnrichmentWriter = (
  connection: Connection,
  revise: Revise,
): Records['recordEnrichment'] => {
  const pool = createPoolWriter(connection)
  const reference = createReferenceWriter(connection)
  const quote = rowWriter(connection, quotes, upsertInto(quotes, { key: ['address', 'source'] }))
  const reserve = rowWriter(connection, reserves, upsertInto(reserves, { key: ['pool', 'source'] }))
  return (pass) =>
    revise((stored, revision) => {
      const rows =
        sum(pass.quotes, quote) +
        sum(pass.references, reference) +
        sum(pass.reserves, reserve) +
        sum(pass.hot, (hot) => pool.setLastHot(hot.pool, hot.lastHotTs, revision))
      return enrichmentChange(stored, pass.ts, rows)
    })
}

/** Everything that is written besides the batches of the chain. */
export const createRecords = (
  connection: Connection,
  header: HeaderRow,
  revise: Revise,
): Records => {
  const pool = createPoolWriter(connection)
  const tick = createTickWriter(connection)
  const writeTokens = createDirectoryWriter(connection, tokens)
  const writeStocks = createDirectoryWriter(connection, stocks)
  const writeSearched = createSearchedWriter(connection)
  const writeSource = rowWriter(connection, sources, upsertInto(sources, { key: ['source'] }))
  return {
    begin: createBegin(connection, header),
    replaceMap: (number, state, ticks) =>
      revise((_, revision) => {
        tick.clear(number)
        for (const record of ticks) tick.put(record)
        pool.setState(number, state, revision)
        return { rows: 1 }
      }),
    recordBackfill: (backfill) => revise((stored) => backfillChange(stored, backfill)),
    recordSearched: (stocks) => revise(() => ({ rows: writeSearched(stocks) })),
    recordHead: (head) => revise((stored) => headChange(stored, head)),
    recordTokens: (records) => revise((_, revision) => ({ rows: writeTokens(records, revision) })),
    recordStocks: (records) => revise((_, revision) => ({ rows: writeStocks(records, revision) })),
    recordSource: (record) => revise(() => ({ rows: writeSource(record) })),
    recordEnrichment: createEnrichmentWriter(connection, revise),
  }
}
