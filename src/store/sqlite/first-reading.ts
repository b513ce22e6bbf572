import type { FirstMap, FirstReading, ReadingBatch, StoreHeader } from '../../ports/store-rows.ts'
import { hex, integer } from './codec.ts'
import type { Connection } from './connection.ts'
import type { HeaderRow } from './header.ts'
import {
  createPoolWriter,
  createSearchedWriter,
  createTickWriter,
  rowWriter,
} from './row-writers.ts'
import { columnsOf, insertInto, table, upsertInto } from './table.ts'

/** The one row that says how far a first reading is. */
type Standing = {
  readonly steps: number
  readonly toBlock: number
  readonly toHash: FirstReading['to']['hash']
  readonly toTs: number
  readonly foundTo: number
}

const standings = table<Standing>('first_reading', {
  steps: integer,
  toBlock: integer,
  toHash: hex,
  toTs: integer,
  foundTo: integer,
})

const firstMaps = table<FirstMap>('first_maps', { pool: integer, mappedTo: integer })

export const firstReadingQueries = {
  standing: `SELECT ${columnsOf(standings)} FROM first_reading WHERE id = 1`,
  maps: `SELECT ${columnsOf(firstMaps)} FROM first_maps ORDER BY pool`,
} as const

const readingOf = ({ steps, toBlock, toHash, toTs, foundTo }: Standing) => ({
  steps,
  to: { block: toBlock, hash: toHash, ts: toTs },
  foundTo,
})

/** How far it is, without its maps. */
const createStandingRead = (connection: Connection) => {
  const select = connection.prepare(firstReadingQueries.standing)
  return (): Omit<FirstReading, 'maps'> | null => {
    const row = select.get([])
    return row === undefined ? null : readingOf(standings.fromRow(row))
  }
}

export const createReadingRead = (connection: Connection): (() => FirstReading | null) => {
  const standing = createStandingRead(connection)
  const maps = connection.prepare(firstReadingQueries.maps)
  return () => {
    const reading = standing()
    return reading === null ? null : { ...reading, maps: maps.all([]).map(firstMaps.fromRow) }
  }
}

/** Whether an adoption takes in what was read, or there is nothing that it could contradict. */
export const createReadingEnd = (connection: Connection) => {
  const standing = createStandingRead(connection)
  const statements = ['first_reading', 'first_maps'].map((name) =>
    connection.prepare(`DELETE FROM ${name}`),
  )
  return {
    isAt: ({ block, hash }: FirstReading['to']): boolean => {
      const reading = standing()
      return reading === null || (reading.foundTo === block && reading.to.hash === hash)
    },
    forget: (): void => {
      for (const statement of statements) statement.run([])
    },
  }
}

/** Writes the rows of one step of a first reading. */
const createReadingWriter = (connection: Connection) => {
  const insert = connection.prepare(
    `${insertInto(standings, ['id'])} ON CONFLICT (id) DO UPDATE SET
     ${standings.columns.map((column) => `${column} = excluded.${column}`).join(', ')}`,
  )
  const pool = createPoolWriter(connection)
  const tick = createTickWriter(connection)
  const map = rowWriter(connection, firstMaps, upsertInto(firstMaps, { key: ['pool'] }))
  const search = createSearchedWriter(connection)
  return (batch: ReadingBatch, revision: number): void => {
    const { before, to, foundTo } = batch
    const steps = before + 1
    const row = { steps, toBlock: to.block, toHash: to.hash, toTs: to.ts, foundTo }
    insert.run([...standings.toRow(row), 1])
    search(batch.searched)
    for (const identity of batch.pools) pool.insert(identity, revision)
    for (const entry of batch.states) pool.setState(entry.pool, entry.state, revision)
    for (const record of batch.ticks) tick.put(record)
    for (const record of batch.maps) map(record)
  }
}

/** Steps of a first reading, each let in exactly once; none once a block is indexed. */
export const createRecordReading = (connection: Connection, header: HeaderRow) => {
  const standing = createStandingRead(connection)
  const write = createReadingWriter(connection)
  return (batch: ReadingBatch): 'committed' | 'stale-cursor' =>
    connection.write(() => {
      const stored = header.claimed()
      const isNext = (standing()?.steps ?? 0) === batch.before
      if (stored.indexed !== null || !isNext) return 'stale-cursor'
      const revision = stored.revision + 1
      write(batch, revision)
      header.save({ ...stored, revision, backfill: batch.backfill })
      return 'committed'
    })
}

/** Pools that are not there any more leave readers with sums that must be made anew. */
const atBirth = (stored: StoreHeader): StoreHeader => ({
  ...stored,
  revision: stored.revision + 1,
  epoch: stored.epoch + 1,
  backfill: { phase: 'discover', done: 0, total: 0 },
})

export const createDropReading = (connection: Connection, header: HeaderRow) => {
  const { forget } = createReadingEnd(connection)
  const statements = ['pools', 'ticks', 'searched'].map((name) =>
    connection.prepare(`DELETE FROM ${name}`),
  )
  return (): void =>
    connection.write(() => {
      const stored = header.claimed()
      if (stored.indexed !== null) return
      for (const statement of statements) statement.run([])
      forget()
      header.save(atBirth(stored))
    })
}
