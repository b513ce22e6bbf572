import type { Venues } from '../../domain/dex/venue.ts'
import { formFeedEvents, type PoolActivity } from '../../domain/feed/form-feed-events.ts'
import { failure, type Outcome, success } from '../../domain/outcome.ts'
import type { PoolNumber } from '../../domain/pool/pool-state.ts'
import {
  logIndexMax,
  type PricedLiquidityChange,
  type StoredSwap,
} from '../../domain/pool/stored-rows.ts'
import { holdsRebasing, type StandardOf } from '../../domain/stock/stock-standard.ts'
import type { UnixSeconds } from '../../domain/units.ts'
import { hasCustomAccounting } from '../../domain/valuation/pool-reserves.ts'
import type { StoreSnapshot } from '../../ports/store.ts'
import type { StoredPool } from '../../ports/store-batches.ts'
import { getByNumber } from '../model/chunked-table.ts'
import { toStoredPool } from '../model/model-pool.ts'
import type { ReadModel } from '../model/read-model.ts'
import type { FeedFault, FeedPair, FeedRange, PairEvent } from './feed.ts'
import { readFeedBlock } from './feed-block.ts'
import { toFeedPair } from './feed-pair.ts'

/** Of one answer; a response is held in memory as a whole. */
const eventsMax = 10_000
const swapsPerRead = 1_000
/** Of one pool: a map that lies further back is not derived. */
const changesMax = 20_000

type Rows = {
  readonly swaps: readonly StoredSwap[]
  readonly changes: readonly PricedLiquidityChange[]
}

/** Null: more than `eventsMax`. */
const readRows = async (
  snapshot: StoreSnapshot,
  { fromBlock, toBlock }: FeedRange,
  fromTs: UnixSeconds,
): Promise<Rows | null> => {
  const query = { fromBlock, toBlock, rowsMax: eventsMax + 1 }
  const changes = await snapshot.liquidityOfBlocks(query)
  const all = { pool: null, fromTs: null, toTs: null, order: 'asc', rowsMax: swapsPerRead } as const
  const swaps: StoredSwap[] = []
  let after = { block: fromBlock - 1, logIndex: logIndexMax, ts: fromTs }
  for (;;) {
    const page = await snapshot.swapPage({ ...all, after })
    swaps.push(...page.filter(({ block }) => block <= toBlock))
    if (swaps.length + changes.length > eventsMax) return null
    const last = page.at(-1)
    if (last === undefined || page.length < swapsPerRead || last.block > toBlock) break
    after = last
  }
  return { swaps, changes }
}

type FeedPool = { readonly pair: FeedPair; readonly pool: StoredPool }

/** The pools with these events that an aggregator knows. */
const findPools = (
  { swaps, changes }: Rows,
  model: ReadModel,
  venues: Venues,
): ReadonlyMap<PoolNumber, FeedPool> => {
  const numbers = new Set([...swaps, ...changes].map(({ pool }) => pool))
  return new Map(
    [...numbers].flatMap((number): [PoolNumber, FeedPool][] => {
      const listed = getByNumber(model.pools, number)
      const pair = listed === undefined ? null : toFeedPair(listed, venues)
      return listed && pair ? [[number, { pair, pool: toStoredPool(listed) }]] : []
    }),
  )
}

/** Pools whose map may be wrong, or whose tokens it does not say. */
const hasNoReserves = (pool: StoredPool, standardOf: StandardOf): boolean =>
  pool.mapFault !== null || hasCustomAccounting(pool) || holdsRebasing(pool.key, standardOf)

const byPool = <Row extends { readonly pool: PoolNumber }>(rows: readonly Row[]) => {
  const groups = Map.groupBy(rows, ({ pool }) => pool)
  return (pool: PoolNumber): readonly Row[] => groups.get(pool) ?? []
}

const readActivities = async (
  snapshot: StoreSnapshot,
  rows: Rows,
  {
    pools,
    fromBlock,
    standardOf,
  }: {
    readonly pools: readonly StoredPool[]
    readonly fromBlock: number
    readonly standardOf: StandardOf
  },
): Promise<readonly PoolActivity[]> => {
  const numbers = pools.map(({ number }) => number)
  const ticksOf = byPool(await snapshot.ticksOfPools(numbers))
  const sinceOf = byPool(
    await snapshot.changesOfPools({ pools: numbers, fromBlock, rowsMax: changesMax }),
  )
  const [swapsOf, changesOf] = [byPool(rows.swaps), byPool(rows.changes)]
  const isUnpriced = ({ number, lastSwapBlock }: StoredPool): boolean =>
    changesOf(number)[0]?.sqrtPriceX96 === null && (lastSwapBlock ?? -1) >= fromBlock
  const unpriced = pools.filter(isUnpriced).map(({ number }) => number)
  const firstOf = byPool(
    unpriced.length === 0 ? [] : await snapshot.firstSwaps({ pools: unpriced, fromBlock }),
  )
  return pools.map((state) => {
    const since = sinceOf(state.number)
    const isUnknown = since.length === changesMax || hasNoReserves(state, standardOf)
    return {
      state,
      ticks: ticksOf(state.number),
      since: isUnknown ? null : since,
      swaps: swapsOf(state.number),
      changes: changesOf(state.number),
      nextSwap: firstOf(state.number)[0] ?? null,
    }
  })
}

/** Why events of these blocks are missing; null: none is. */
const findGap = (
  { header }: ReadModel,
  { fromBlock }: FeedRange,
  fromTs: UnixSeconds,
): FeedFault | null => {
  const { backfillCursor, swapsKeptSince, progress } = header
  if (swapsKeptSince !== null && fromTs < swapsKeptSince) {
    return { kind: 'history-pruned', keptSince: swapsKeptSince }
  }
  if (backfillCursor === null || fromBlock > backfillCursor.completeAfter.block) return null
  return progress.phase === 'done'
    ? { kind: 'history-pruned', keptSince: backfillCursor.completeAfter.ts + 1 }
    : { kind: 'incomplete' }
}

/** The events of some blocks from one snapshot, by a number of reads that does not grow. */
export const readFeedEvents = async (
  snapshot: StoreSnapshot,
  range: FeedRange,
  {
    model,
    now,
    venues,
    standardOf,
    hasTraders,
  }: {
    readonly model: ReadModel
    readonly now: UnixSeconds
    readonly venues: Venues
    readonly standardOf: StandardOf
    readonly hasTraders: boolean
  },
): Promise<Outcome<readonly PairEvent[], FeedFault>> => {
  const last = (await readFeedBlock(snapshot, { model, now, hasTraders }))?.block ?? null
  if (last === null || range.toBlock > last) return failure({ kind: 'not-announced', last })
  const fromTs = (await snapshot.timedBlock(range.fromBlock))?.ts ?? 0
  const gap = findGap(model, range, fromTs)
  if (gap !== null) return failure(gap)
  const rows = await readRows(snapshot, range, fromTs)
  if (rows === null) return failure({ kind: 'too-many-events', eventsMax })
  const found = findPools(rows, model, venues)
  const pools = [...found.values()].map(({ pool }) => pool)
  const { fromBlock } = range
  const activities = await readActivities(snapshot, rows, { pools, fromBlock, standardOf })
  return success(
    formFeedEvents(activities).flatMap((event) => {
      const pair = found.get(event.pool)?.pair
      return pair === undefined ? [] : [{ pair, event }]
    }),
  )
}
