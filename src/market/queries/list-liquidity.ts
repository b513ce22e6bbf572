import type { EventCursor } from '../../domain/history/event-cursor.ts'
import { type Outcome, success } from '../../domain/outcome.ts'
import { toLiquidityChangeView } from '../../domain/valuation/value-liquidity-change.ts'
import type { StoreSnapshot } from '../../ports/store.ts'
import type { IndexHeader } from '../../ports/store-batches.ts'
import type { EventFault, HistoryQuery, LiquidityPage } from '../history.ts'
import { type ListedPool, toSwapViewPool } from '../model/model-pool.ts'
import { findEventWindow, toNextCursor } from './event-window.ts'
import { gapsOf } from './series.ts'

/** One page of a pool's changes of liquidity in chain order. They are never deleted. */
export const readLiquidityChanges = async (
  snapshot: StoreSnapshot,
  pool: ListedPool,
  { header, query }: { readonly header: IndexHeader; readonly query: HistoryQuery<EventCursor> },
): Promise<Outcome<LiquidityPage, EventFault>> => {
  const { cursor, finalizedCursor } = header
  if (cursor === null) return success({ items: [], next: null, asOfBlock: null, complete: false })
  const gaps = gapsOf(header, pool)
  const kept = { keptSince: 0, gaps, createdTs: pool.createdTs, asOfTs: cursor.ts }
  const { fromTs, toTs, order, limit } = query
  const span = { pool: pool.number, fromTs: null, toTs: null }
  const window = await findEventWindow(query, kept, {
    block: snapshot.block,
    next: async (after) => {
      const [next] = await snapshot.liquidityPage({ ...span, after, order: 'asc', rowsMax: 1 })
      return next
    },
  })
  if (!window.ok) return window
  const { after, complete } = window.value
  const rows = await snapshot.liquidityPage({
    ...{ pool: pool.number, after, fromTs, toTs, order, rowsMax: limit + 1 },
  })
  const page = rows.slice(0, limit)
  const viewPool = toSwapViewPool(pool)
  const last = rows.length > limit ? (page.at(-1) ?? null) : null
  return success({
    items: page.map((change) =>
      toLiquidityChangeView(change, viewPool, {
        // In a gap the last stored swap may not be the last one.
        sqrtPriceX96: gaps.some(({ toTs: end }) => change.ts < end) ? null : change.sqrtPriceX96,
        settled: change.block <= (finalizedCursor?.block ?? -1),
      }),
    ),
    next: await toNextCursor(snapshot, last),
    asOfBlock: cursor.block,
    complete,
  })
}
