import type { BlockRef } from '../../domain/chain/block-ref.ts'
import type { PoolNumber } from '../../domain/pool/pool-state.ts'
import { secondsPerMinute } from '../../domain/time.ts'
import type { StoreWriter } from '../../ports/store.ts'
import type { BootstrapState } from '../../ports/store-batches.ts'
import { bootstrapTable, tickMapCursors, toBootstrapState } from './bootstrap-table.ts'
import { integer } from './codec.ts'
import { poolIdentities } from './pool-table.ts'
import { bootstrapQueries, branchQueries, liquidityAfterQuery } from './queries.ts'
import type { Session, Shape } from './session.ts'
import { blocks, liquidityChanges, swaps } from './tables.ts'
import type { WriteConnection } from './transaction.ts'

const numbers: Shape<PoolNumber> = {
  forms: [integer.form],
  fromRow: ([pool]) => integer.fromColumn(pool),
}

/** How far a bootstrap is, without its tick maps. */
export const readBootstrapRow = async (
  session: Session,
): Promise<Omit<BootstrapState, 'tickMapCursors'> | null> => {
  const row = await session.first(bootstrapTable, bootstrapQueries.standing)
  return row === null ? null : toBootstrapState(row)
}

const readBootstrap = async (session: Session): Promise<BootstrapState | null> => {
  const bootstrap = await readBootstrapRow(session)
  if (bootstrap === null) return null
  return { ...bootstrap, tickMapCursors: await session.all(tickMapCursors, bootstrapQueries.maps) }
}

const readEvents = async (
  session: Session,
  { from, to }: Parameters<StoreWriter['readEvents']>[0],
) => {
  const before = await session.first(blocks, branchQueries.anchor, [from])
  const after = await session.first(blocks, branchQueries.anchorFrom, [to])
  const fromTs = before?.ts ?? 0
  const toTs = after?.ts ?? Number.MAX_SAFE_INTEGER
  return {
    blocks: await session.all(blocks, branchQueries.blocks, [from, to]),
    pools: await session.all(poolIdentities, branchQueries.pools, [from, to]),
    swaps: await session.all(swaps, branchQueries.swaps, [fromTs, toTs, from, to]),
    liquidity: await session.all(liquidityChanges, branchQueries.liquidity, [from, to]),
  }
}

const readTouched = async (session: Session, ancestor: BlockRef | null) => {
  const fromTs = ancestor === null ? 0 : ancestor.ts - (ancestor.ts % secondsPerMinute)
  const block = ancestor?.block ?? -1
  const range = [block + 1, Number.MAX_SAFE_INTEGER]
  const created = await session.all(poolIdentities, branchQueries.pools, range)
  return [
    ...new Set([
      ...(await session.all(numbers, branchQueries.touchedCandles, [fromTs])),
      ...(await session.all(numbers, branchQueries.touchedLiquidity, [block])),
      ...created.map(({ number }) => number),
    ]),
  ]
}

/** What the writer asks for besides whole tables, in its turn. */
export const createWriterReads = ({
  read,
}: WriteConnection): Pick<
  StoreWriter,
  | 'readBootstrap'
  | 'readLiquidityAfter'
  | 'readBlockAtOrBelow'
  | 'readEvents'
  | 'readPoolsChangedAfter'
  | 'readPoolHistory'
> => ({
  readBootstrap: () => read(readBootstrap),
  readLiquidityAfter: (block) =>
    read((session) => session.all(liquidityChanges, liquidityAfterQuery, [block])),
  readBlockAtOrBelow: (block) =>
    read((session) => session.first(blocks, branchQueries.anchor, [block])),
  readEvents: (range) => read((session) => readEvents(session, range)),
  readPoolsChangedAfter: (ancestor) => read((session) => readTouched(session, ancestor)),
  readPoolHistory: (pool, block) =>
    read(async (session) => ({
      lastSwap: await session.first(swaps, branchQueries.lastSwap, [pool, block]),
      changes: await session.all(liquidityChanges, branchQueries.changes, [pool]),
    })),
})
