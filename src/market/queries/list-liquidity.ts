import type { EventCursor } from '../../domain/history/event-cursor.ts'
import { type Outcome, success } from '../../domain/outcome.ts'
import type { EventPlace } from '../../domain/pool/pool-event.ts'
import type { StoredLiquidityChange, StoredSwap } from '../../domain/pool/stored-rows.ts'
import type { IndexGap } from '../../domain/series/fill-buckets.ts'
import { toLiquidityChangeView } from '../../domain/valuation/value-liquidity-change.ts'
import type { StoreSnapshot } from '../../ports/store.ts'
import type { IndexHeader } from '../../ports/store-batches.ts'
import type { EventFault, HistoryQuery, LiquidityPage } from '../history.ts'
import { type ListedPool, toSwapViewPool } from '../model/model-pool.ts'
import { findEventWindow, toNextCursor } from './event-window.ts'
import { gapsOf } from './series.ts'

const isBefore = (one: EventPlace, other: EventPlace): boolean =>
  one.block < other.block || (one.block === other.block && one.logIndex < other.logIndex)

/**
 * The price before each change: that of the last swap before, as it serves all changes up to the
 * next swap. Null where that swap is not stored.
 */
const readPrices = async (
  snapshot: StoreSnapshot,
  pool: ListedPool,
  changes: readonly StoredLiquidityChange[],
  gaps: readonly IndexGap[],
): Promise<ReadonlyMap<StoredLiquidityChange, bigint>> => {
  const prices = new Map<StoredLiquidityChange, bigint>()
  const newestFirst = changes.toSorted((a, b) => b.block - a.block || b.logIndex - a.logIndex)
  const span = { pool: pool.number, fromTs: null, toTs: null, order: 'desc', rowsMax: 1 } as const
  let last: StoredSwap | undefined
  for (const change of newestFirst) {
    if (gaps.some(({ toTs }) => change.ts < toTs)) break
    if (last === undefined || !isBefore(last, change)) {
      last = (await snapshot.swapPage({ ...span, after: change }))[0]
    }
    if (last === undefined) break
    prices.set(change, last.sqrtPriceX96)
  }
  return prices
}

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
  const prices = await readPrices(snapshot, pool, page, gaps)
  const viewPool = toSwapViewPool(pool)
  const last = rows.length > limit ? (page.at(-1) ?? null) : null
  return success({
    items: page.map((change) =>
      toLiquidityChangeView(change, viewPool, {
        sqrtPriceX96: prices.get(change) ?? null,
        settled: change.block <= (finalizedCursor?.block ?? -1),
      }),
    ),
    next: await toNextCursor(snapshot, last),
    asOfBlock: cursor.block,
    complete,
  })
}
