import type { Adoption } from '../../ports/store-rows.ts'
import { planAdoption } from '../shared/standing.ts'
import { insertInto, upsertInto } from '../shared/table.ts'
import { blocks, liquidityChanges, swaps } from '../shared/tables.ts'
import type { Connection } from './connection.ts'
import { createReadingEnd } from './first-reading.ts'
import type { HeaderRow } from './header.ts'
import {
  createCandleWriter,
  createEarlierReferenceWriter,
  createPoolWriter,
  createSearchedWriter,
  createTickWriter,
  rowWriter,
} from './row-writers.ts'

/** Writes the rows of an adoption. */
const createAdoptionWriter = (connection: Connection) => {
  const pool = createPoolWriter(connection)
  const tick = createTickWriter(connection)
  const block = rowWriter(connection, blocks, upsertInto(blocks, { key: ['block'] }))
  const swap = rowWriter(connection, swaps, insertInto(swaps))
  const change = rowWriter(connection, liquidityChanges, insertInto(liquidityChanges))
  const candle = createCandleWriter(connection)
  const reference = createEarlierReferenceWriter(connection)
  return (adoption: Adoption, revision: number): void => {
    for (const anchor of adoption.blocks) block(anchor)
    block(adoption.at)
    for (const identity of adoption.pools) pool.insert(identity, revision)
    for (const entry of adoption.states) pool.setState(entry.pool, entry.state, revision)
    for (const record of adoption.ticks) tick.put(record)
    for (const record of adoption.swaps) swap(record)
    for (const record of adoption.liquidity) change(record)
    for (const record of adoption.candles) candle(record)
    for (const record of adoption.references) reference(record)
  }
}

/** Pools with their past: those of an empty store, or those of a stock that came later. */
export const createAdopt = (connection: Connection, header: HeaderRow) => {
  const write = createAdoptionWriter(connection)
  const search = createSearchedWriter(connection)
  const reading = createReadingEnd(connection)
  return (adoption: Adoption): 'committed' | 'stale-cursor' =>
    connection.write(() => {
      const plan = planAdoption(adoption, header.claimed(), reading.standing())
      if (plan.header !== null) {
        write(adoption, plan.header.revision)
        search(adoption.searched)
        reading.forget()
        header.save(plan.header)
      }
      return plan.answer
    })
}
