import type { StoredSwap } from '../../domain/pool/stored-rows.ts'
import { toSwapView } from '../../domain/valuation/value-swap.ts'
import type { StoreSnapshot } from '../../ports/store.ts'
import type { ChangeEvent, ChangeSubject } from '../changes.ts'
import { getByNumber } from '../model/chunked-table.ts'
import { type ListedPool, otherTokenOf, stockTokenOf, toSwapViewPool } from '../model/model-pool.ts'
import type { ReadModel } from '../model/read-model.ts'
import { endOfBlock } from '../stream-position.ts'
import type { Position } from './history.ts'
import { positionsIn } from './model-positions.ts'

export const toSubject = (pool: ListedPool, { stocks }: ReadModel): ChangeSubject => {
  const symbols = [stockTokenOf(pool), otherTokenOf(pool)].flatMap(
    ({ address }) => stocks.get(address)?.symbol.toUpperCase() ?? [],
  )
  return { symbols, poolId: pool.id }
}

type SwapEvent = Extract<ChangeEvent, { readonly topic: 'swap' }>

/** Of listed pools, in the order of the rows. */
export const toSwapEvents = (
  rows: readonly StoredSwap[],
  model: ReadModel,
): readonly SwapEvent[] => {
  const positionAt = positionsIn(model)
  return rows.flatMap((swap): readonly SwapEvent[] => {
    const pool = getByNumber(model.pools, swap.pool)
    if (pool === undefined) return []
    const stockSymbol = model.stocks.get(stockTokenOf(pool).address)?.symbol ?? ''
    const data = { poolId: pool.id, stockSymbol, ...toSwapView(swap, toSwapViewPool(pool)) }
    const { block, logIndex, ts } = swap
    const position = positionAt({ block, logIndex, ts })
    return [{ topic: 'swap', data, about: toSubject(pool, model), position }]
  })
}

/** The swaps of listed pools above `since` in chain order; null if more than `swapsMax` are. */
export const readSwapEvents = async (
  snapshot: StoreSnapshot,
  model: ReadModel,
  { since, swapsMax }: { readonly since: Position; readonly swapsMax: number },
): Promise<readonly SwapEvent[] | null> => {
  const all = { pool: null, fromTs: null, toTs: null, order: 'asc' } as const
  const after = endOfBlock(since)
  const rows = await snapshot.swapPage({ ...all, after, rowsMax: swapsMax + 1 })
  return rows.length > swapsMax ? null : toSwapEvents(rows, model)
}
