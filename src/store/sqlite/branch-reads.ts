import type { PoolNumber } from '../../domain/pool/pool-state.ts'
import { secondsPerMinute } from '../../domain/time.ts'
import type { StoreWriter } from '../../ports/store.ts'
import type { Sync } from '../../util/mutex.ts'
import { integer } from '../shared/codec.ts'
import { poolIdentities } from '../shared/pool-table.ts'
import { branchQueries } from '../shared/queries.ts'
import type { Table } from '../shared/table.ts'
import { blocks, liquidityChanges, swaps } from '../shared/tables.ts'
import type { Connection } from './connection.ts'

export type BranchReads = {
  readonly [Name in 'readAnchor' | 'readEvents' | 'readTouched' | 'readPast']: Sync<
    StoreWriter[Name]
  >
}

const rowsOf = <T>(connection: Connection, sql: string, of: Table<T>) => {
  const statement = connection.prepare(sql)
  return (...values: readonly number[]): readonly T[] => statement.all(values).map(of.fromRow)
}

export const createBranchReads = (connection: Connection): BranchReads => {
  const anchorOf = rowsOf(connection, branchQueries.anchor, blocks)
  const anchorFrom = rowsOf(connection, branchQueries.anchorFrom, blocks)
  const blocksOf = rowsOf(connection, branchQueries.blocks, blocks)
  const poolsOf = rowsOf(connection, branchQueries.pools, poolIdentities)
  const swapsOf = rowsOf(connection, branchQueries.swaps, swaps)
  const liquidityOf = rowsOf(connection, branchQueries.liquidity, liquidityChanges)
  const lastSwapOf = rowsOf(connection, branchQueries.lastSwap, swaps)
  const changesOf = rowsOf(connection, branchQueries.changes, liquidityChanges)
  const byCandle = connection.prepare(branchQueries.touchedCandles)
  const byLiquidity = connection.prepare(branchQueries.touchedLiquidity)
  const readAnchor: BranchReads['readAnchor'] = (block) => anchorOf(block)[0] ?? null
  return {
    readAnchor,
    readEvents: ({ from, to }) => {
      const fromTs = readAnchor(from)?.ts ?? 0
      const toTs = anchorFrom(to)[0]?.ts ?? Number.MAX_SAFE_INTEGER
      return {
        blocks: blocksOf(from, to),
        pools: poolsOf(from, to),
        swaps: swapsOf(fromTs, toTs, from, to),
        liquidity: liquidityOf(from, to),
      }
    },
    readTouched: (ancestor) => {
      const fromTs = ancestor === null ? 0 : ancestor.ts - (ancestor.ts % secondsPerMinute)
      const block = ancestor?.block ?? -1
      const created = poolsOf(block + 1, Number.MAX_SAFE_INTEGER)
      const numbers = [...byCandle.all([fromTs]), ...byLiquidity.all([block])]
      const touched = numbers.map(([number]): PoolNumber => integer.fromColumn(number))
      return [...new Set([...touched, ...created.map(({ number }) => number)])]
    },
    readPast: (pool, block) => ({
      lastSwap: lastSwapOf(pool, block)[0] ?? null,
      changes: changesOf(pool),
    }),
  }
}
