import type { Anchor } from '../../domain/chain/chain-log.ts'
import type { StoreWriter } from '../../ports/store.ts'
import type { Backfill, StoreHeader } from '../../ports/store-rows.ts'
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
import { type Table, upsertInto } from './table.ts'
import { quotes, reserves, sources, stocks } from './tables.ts'
import { tokens } from './token-table.ts'
import type { Sync } from './turns.ts'

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

/** What a piece of work did to the store: the fields of the header that it changed besides. */
type Change = { readonly rows: number; readonly header?: Partial<StoreHeader> }

export type Revise = (work: (stored: StoreHeader, revision: number) => Change) => void

/** One transaction, and one revision more if it changed anything. */
export const createRevise =
  (connection: Connection, header: HeaderRow): Revise =>
  (work) =>
    connection.write(() => {
      const stored = header.claimed()
      const revision = stored.revision + 1
      const change = work(stored, revision)
      if (change.rows === 0 && change.header === undefined) return
      header.save({ ...stored, ...change.header, revision })
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

const sameAnchor = (one: Anchor | null, other: Anchor): boolean =>
  one?.block === other.block && one.hash === other.hash && one.ts === other.ts

const sameBackfill = (one: Backfill, other: Backfill): boolean =>
  one.phase === other.phase && one.done === other.done && one.total === other.total

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
      if (rows === 0 && stored.enrichedTs === pass.ts) return { rows }
      return { rows, header: { enrichedTs: pass.ts } }
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
    recordBackfill: (backfill) =>
      revise((stored) =>
        sameBackfill(stored.backfill, backfill) ? { rows: 0 } : { rows: 0, header: { backfill } },
      ),
    recordSearched: (stocks) => revise(() => ({ rows: writeSearched(stocks) })),
    recordHead: (head) =>
      revise((stored) =>
        sameAnchor(stored.head, head) ? { rows: 0 } : { rows: 0, header: { head } },
      ),
    recordTokens: (records) => revise((_, revision) => ({ rows: writeTokens(records, revision) })),
    recordStocks: (records) => revise((_, revision) => ({ rows: writeStocks(records, revision) })),
    recordSource: (record) => revise(() => ({ rows: writeSource(record) })),
    recordEnrichment: createEnrichmentWriter(connection, revise),
  }
}
