import type { Adoption, StoreHeader } from '../../ports/store-rows.ts'
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
import { insertInto, upsertInto } from './table.ts'
import { blocks, liquidityChanges, swaps } from './tables.ts'

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

/** The cursor stands where the adoption's knowledge ends, or there is none yet. */
const isFitting = ({ before, at }: Adoption, { indexed }: StoreHeader): boolean =>
  indexed === null
    ? before === null
    : indexed.block === before && before === at.block && indexed.hash === at.hash

/** Pools with their past: those of an empty store, or those of a stock that came later. */
export const createAdopt = (connection: Connection, header: HeaderRow) => {
  const write = createAdoptionWriter(connection)
  const search = createSearchedWriter(connection)
  const reading = createReadingEnd(connection)
  return (adoption: Adoption): 'committed' | 'stale-cursor' =>
    connection.write(() => {
      const stored = header.claimed()
      if (!isFitting(adoption, stored) || !reading.isAt(adoption.at)) return 'stale-cursor'
      const revision = stored.revision + 1
      write(adoption, revision)
      search(adoption.searched)
      reading.forget()
      const { at: indexed, head, backfill } = adoption
      const history = adoption.history ?? stored.history
      // Swaps of blocks that were counted already have come: sums are to be made anew.
      const isLate = adoption.before !== null && adoption.swaps.length > 0
      const epoch = isLate ? stored.epoch + 1 : stored.epoch
      header.save({ ...stored, revision, epoch, indexed, head, backfill, history })
      return 'committed'
    })
}
