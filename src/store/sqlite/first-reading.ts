import type { Anchor } from '../../domain/chain/block-ref.ts'
import type { FirstReading, ReadingBatch } from '../../ports/store-rows.ts'
import { firstReadingQueries } from '../shared/queries.ts'
import { firstMaps, readingOf, standings } from '../shared/reading-table.ts'
import { planDrop, planReading, tablesOfChain } from '../shared/standing.ts'
import { insertInto, upsertInto } from '../shared/table.ts'
import type { Connection } from './connection.ts'
import type { HeaderRow } from './header.ts'
import {
  createPoolWriter,
  createSearchedWriter,
  createTickWriter,
  rowWriter,
} from './row-writers.ts'

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

/** What an adoption ends, if there is one. */
export const createReadingEnd = (connection: Connection) => {
  const statements = ['first_reading', 'first_maps'].map((name) =>
    connection.prepare(`DELETE FROM ${name}`),
  )
  return {
    standing: createStandingRead(connection),
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
      const plan = planReading(batch, header.claimed(), standing()?.steps ?? 0)
      if (plan.header !== null) {
        write(batch, plan.header.revision)
        header.save(plan.header)
      }
      return plan.answer
    })
}

export const createDropReading = (connection: Connection, header: HeaderRow) => {
  const statements = tablesOfChain.map((name) => connection.prepare(`DELETE FROM ${name}`))
  return (indexed: Anchor | null): 'committed' | 'stale-cursor' =>
    connection.write(() => {
      const plan = planDrop(indexed, header.claimed())
      if (plan.header !== null) {
        for (const statement of statements) statement.run([])
        header.save(plan.header)
      }
      return plan.answer
    })
}
