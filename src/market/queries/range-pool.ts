import { earningsFaultOf } from '../../domain/earnings/fee-apr.ts'
import {
  measureRange,
  type RangedPool,
  type RangePath,
} from '../../domain/earnings/measure-range.ts'
import { type PathSwap, rangeSwapsMax, toPathSwap } from '../../domain/earnings/path-swap.ts'
import { rangeBetween, rootOf, rootsOf } from '../../domain/earnings/range-position.ts'
import type { StoredSwap } from '../../domain/pool/stored-rows.ts'
import { holdsRebasing } from '../../domain/stock/stock-standard.ts'
import { secondsPerDay } from '../../domain/time.ts'
import type { UnixSeconds } from '../../domain/units.ts'
import { toPoolView } from '../../domain/valuation/value-pool.ts'
import type { PoolView } from '../../domain/views/pool.ts'
import type { PoolRangesView, RangeReason, RangeWindow } from '../../domain/views/range-earnings.ts'
import type { Clock } from '../../ports/runtime.ts'
import type { StoreSnapshot } from '../../ports/store.ts'
import { createMutex } from '../../util/mutex.ts'
import { yieldToEventLoop } from '../../util/time-slice.ts'
import type { Market, RangeQuery } from '../market.ts'
import { type ListedPool, toStoredPool } from '../model/model-pool.ts'
import type { StoreSync } from '../sync/store-sync.ts'
import { sharedInputsOf, toPoolInputs } from '../valuation/market-inputs.ts'
import type { Valuer } from '../valuation/valuer.ts'
import { findKeptSince } from './candle-window.ts'
import { findPool } from './details.ts'
import { gapsOf } from './series.ts'

/** A few milliseconds of work. */
const swapsPerPage = 1_000
const daysPerWeek = 7

/** The swaps of a week, oldest first, and what is known of the time before the first. */
type Week = {
  readonly swaps: readonly PathSwap[]
  /** √price before them. */
  readonly start: number
  /** All swaps since then are in the list. */
  readonly sinceTs: UnixSeconds
  /** Why that is later than the start of the week; null where the pool is younger. */
  readonly cut: RangeReason | null
}

/** Newest first; the last of them, if it is older than the week, says the price at its start. */
const readSwaps = async (
  snapshot: StoreSnapshot,
  pool: ListedPool,
  fromTs: UnixSeconds,
): Promise<readonly StoredSwap[]> => {
  const rows: StoredSwap[] = []
  while (rows.length <= rangeSwapsMax) {
    const rowsMax = Math.min(swapsPerPage, rangeSwapsMax + 1 - rows.length)
    const after = rows.at(-1) ?? null
    const page = await snapshot.swapPage({
      ...{ pool: pool.number, after, fromTs: null, toTs: null, order: 'desc', rowsMax },
    })
    for (const row of page) {
      rows.push(row)
      if (row.ts <= fromTs) return rows
    }
    if (page.length < rowsMax) break
    await yieldToEventLoop()
  }
  return rows
}

const readWeek = async (
  snapshot: StoreSnapshot,
  pool: ListedPool,
  { fromTs, toTs, rootNow }: { fromTs: UnixSeconds; toTs: UnixSeconds; rootNow: number },
): Promise<Week> => {
  const newestFirst = await readSwaps(snapshot, pool, fromTs)
  const [oldest, ...swaps] = newestFirst.toReversed()
  if (oldest === undefined) return { swaps: [], start: rootNow, sinceTs: fromTs, cut: null }
  const { protocol, key, fees } = toStoredPool(pool)
  let before = oldest.sqrtPriceX96
  const path = swaps.map((swap) => {
    const each = toPathSwap(swap, before, { protocol, key, fees })
    before = swap.sqrtPriceX96
    return each
  })
  const gapEnds = gapsOf(await snapshot.header(), pool).map((gap) => gap.toTs)
  const keptSince = Math.max(0, ...gapEnds, await findKeptSince(snapshot, [pool], toTs))
  const isFull = newestFirst.length > rangeSwapsMax && oldest.ts > fromTs
  const isLost = keptSince > fromTs
  const sinceTs = Math.max(fromTs, oldest.ts, isLost ? keptSince : 0)
  const start = rootOf(oldest.sqrtPriceX96)
  return {
    swaps: path,
    start,
    sinceTs,
    cut: isFull ? 'too_many_swaps' : isLost ? 'history_missing' : null,
  }
}

const pathOf = (week: Week, fromTs: UnixSeconds, toTs: UnixSeconds): RangePath => {
  const startTs = Math.max(fromTs, week.sinceTs)
  const first = week.swaps.findIndex(({ ts }) => ts > fromTs && ts >= startTs)
  const swaps = first === -1 ? [] : week.swaps.slice(first)
  const earlier = first === -1 ? week.swaps : week.swaps.slice(0, first)
  const isCut = week.sinceTs > fromTs && week.cut !== null
  return {
    ...{ fromTs: startTs, toTs, swaps, complete: !isCut },
    start: earlier.at(-1)?.after ?? week.start,
    reasons: isCut && week.cut !== null ? [week.cut] : [],
  }
}

const withoutRange = (
  reason: RangeReason,
  { fromTs, toTs }: { readonly fromTs: UnixSeconds; readonly toTs: UnixSeconds },
): RangeWindow => ({
  ...{ fromTs, toTs, complete: false, swaps: 0, inRangeShare: null },
  ...{ feesStock: null, feesOther: null, feesUsd: null, feeApr: null },
  ...{ heldUsd: null, positionUsd: null, versusHoldingBps: null, netUsd: null },
  reasons: [reason],
})

const originOf = ({ asOfBlock, stateTs, dataStatus, statusReasons }: PoolView) => ({
  ...{ asOfBlock, stateTs, dataStatus, statusReasons },
})

const readRanges = async (
  snapshot: StoreSnapshot,
  pool: ListedPool,
  given: {
    readonly record: PoolView
    readonly query: RangeQuery
    readonly toTs: UnixSeconds
    readonly isRebasing: boolean
  },
): Promise<PoolRangesView> => {
  const { record, query, toTs, isRebasing } = given
  const { classification, token0, token1 } = pool
  const { price, key, mapFault } = toStoredPool(pool)
  const answer = { poolId: pool.id, usd: query.usd, ...originOf(record) }
  const dayTs = toTs - secondsPerDay
  const weekTs = toTs - daysPerWeek * secondsPerDay
  if (!token0.decimals.known || !token1.decimals.known || price === null) {
    const reason = price === null ? 'uninitialised' : 'decimals_unknown'
    const [day, week] = [dayTs, weekTs].map((fromTs) => withoutRange(reason, { fromTs, toTs }))
    return { ...answer, range: null, day, week } as PoolRangesView
  }
  const { stockIsToken0, kind } = classification
  const [decimals0, decimals1] = [token0.decimals.value, token1.decimals.value]
  const pair = { stockIsToken0, decimals0, decimals1 }
  const range = rangeBetween(query, pair, record.tickSpacing)
  const root = rootOf(price.sqrtPriceX96)
  const { stockPriceUsd, otherPriceUsd } = record
  const ranged: RangedPool = {
    ...{ pair, root, usd: query.usd, stockPriceUsd, otherPriceUsd },
    roots: rootsOf(range),
    isValuedByStock: kind === 'meme',
    fault: earningsFaultOf({ key, mapFault, isRebasing }),
  }
  const week = await readWeek(snapshot, pool, { fromTs: weekTs, toTs, rootNow: root })
  return {
    ...answer,
    range,
    day: measureRange(ranged, pathOf(week, dayTs, toTs)),
    week: measureRange(ranged, pathOf(week, weekTs, toTs)),
  }
}

/** What positions would have earned; one answer at a time, because each may read many swaps. */
export const createRanges = ({
  sync,
  valuer,
  clock,
}: {
  readonly sync: StoreSync
  readonly valuer: Pick<Valuer, 'inputsAt'>
  readonly clock: Clock
}): Pick<Market, 'ranges'> => {
  const mutex = createMutex()
  return {
    ranges: (id, query) =>
      mutex(() =>
        sync.read(async (snapshot, model) => {
          const pool = await findPool(snapshot, model, id)
          if (pool === null) return null
          const inputs = valuer.inputsAt(model, clock.now())
          const { context } = inputs
          const record = toPoolView(toPoolInputs(pool, sharedInputsOf(pool, inputs)), context)
          const isRebasing = holdsRebasing(toStoredPool(pool).key, context.standardOf)
          return readRanges(snapshot, pool, { record, query, toTs: context.asOf.ts, isRebasing })
        }),
      ),
  }
}
