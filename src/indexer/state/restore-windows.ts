import type { BlockRef } from '../../domain/chain/block-ref.ts'
import { poolEventsFromRows } from '../../domain/ingest/pool-events.ts'
import { sqrtPriceMaxX96, sqrtPriceMinX96, tickAtSqrtPrice } from '../../domain/math/tick-math.ts'
import { historicalPoolAt, trackHistoricalPool } from '../../domain/pool/historical-pool.ts'
import type { PoolEvent, PoolPrice } from '../../domain/pool/pool-event.ts'
import type { PoolNumber } from '../../domain/pool/pool-state.ts'
import type { StoredSwap } from '../../domain/pool/stored-rows.ts'
import { applyPoolEvent, type TrackedPool } from '../../domain/pool/tracked-pool.ts'
import { type PoolStep, poolWindowSeconds } from '../../domain/price/pool-window.ts'
import { bucketStart } from '../../domain/series/series-range.ts'
import { secondsPerHour } from '../../domain/time.ts'
import type { BlockNumber, UnixSeconds } from '../../domain/units.ts'
import type { Store } from '../../ports/store.ts'

type Reader = Pick<
  Store,
  'snapshot' | 'readBlockAtOrBelow' | 'readPoolsChangedAfter' | 'readPoolHistory'
>

const byPosition = ({ at: a }: PoolEvent, { at: b }: PoolEvent): number =>
  a.block - b.block || a.logIndex - b.logIndex

/** More swaps than any pool has in five minutes. */
const swapsMax = 100_000

/** Where the stored windows begin. */
type WindowStart = {
  readonly ts: UnixSeconds
  /** The last block of before; -1 if none is stored. */
  readonly block: BlockNumber
  /** The window begins here because earlier swaps are not stored yet. */
  readonly isLate: boolean
}

/** The newest stored block at or before a time, found by halving the block numbers. */
const findBlockAt = async (
  store: Reader,
  ts: UnixSeconds,
  last: BlockNumber,
): Promise<BlockRef | null> => {
  let [low, high]: readonly [number, number] = [0, last]
  let found: BlockRef | null = null
  while (low <= high) {
    const middle = Math.floor((low + high) / 2)
    const block = await store.readBlockAtOrBelow(middle)
    if (block === null) low = middle + 1
    else if (block.ts <= ts) {
      found = block
      low = middle + 1
    } else high = block.block - 1
  }
  return found
}

const findStart = async (store: Reader, at: BlockRef): Promise<WindowStart> => {
  const ts = at.ts - poolWindowSeconds
  const header = await store.snapshot((snapshot) => snapshot.header())
  const complete = header?.backfillCursor?.completeAfter ?? null
  if (complete !== null && complete.ts > ts) {
    return { ts: complete.ts, block: complete.block, isLate: true }
  }
  const found = await findBlockAt(store, ts, at.block)
  return { ts, block: found?.block ?? -1, isLate: false }
}

/** The price before a pool's first swap, which no event holds, from the hour before it. */
const readPriceBefore = async (
  store: Reader,
  { pool, ts }: StoredSwap,
): Promise<PoolPrice | null> => {
  const hourTs = bucketStart(ts, secondsPerHour)
  const query = { pool, width: secondsPerHour, fromTs: hourTs, toTs: hourTs } as const
  const { before } = await store.snapshot((snapshot) => snapshot.candles(query))
  if (before === null) return null
  const sqrtPriceX96 = BigInt(Math.floor(Math.sqrt(before.close) * 2 ** 96))
  const isPrice = sqrtPriceX96 > sqrtPriceMinX96 && sqrtPriceX96 < sqrtPriceMaxX96
  return isPrice ? { sqrtPriceX96, tick: tickAtSqrtPrice(sqrtPriceX96) } : null
}

/**
 * The states of one pool from the start of the window on; of each second the last. Null if no event
 * is stored since then: the present state held all the time.
 */
const readSteps = async (
  store: Reader,
  pool: TrackedPool,
  { start, at }: { readonly start: WindowStart; readonly at: BlockRef },
): Promise<readonly PoolStep[] | null> => {
  const { number, id, createdTs } = pool.identity
  const isInWindow = ({ block }: { readonly block: BlockNumber }): boolean =>
    block > start.block && block <= at.block
  const query = { pool: number, fromTs: start.ts, rowsMax: swapsMax }
  const stored = await store.snapshot((snapshot) => snapshot.swaps(query))
  const { lastSwap, changes } = await store.readPoolHistory(number, start.block)
  const rows = {
    blocks: [],
    pools: [],
    swaps: stored.filter(isInWindow),
    liquidity: changes.filter(isInWindow),
  }
  if (rows.swaps.length === 0 && rows.liquidity.length === 0) return null
  const historical = historicalPoolAt(pool, start.block, rows.liquidity.toReversed())
  const firstSwap = rows.swaps.at(-1)
  const unmoved = firstSwap === undefined ? historical.price : null
  const price =
    lastSwap ?? unmoved ?? (firstSwap && (await readPriceBefore(store, firstSwap))) ?? null
  const steps: PoolStep[] = []
  let state = trackHistoricalPool({ ...historical, price })
  if (price !== null) steps.push({ ts: Math.max(start.ts, createdTs), pool: state })
  const events = poolEventsFromRows(rows, () => id)
  for (const event of events.toSorted(byPosition)) {
    state = applyPoolEvent(state, event)
    if (steps.at(-1)?.ts === event.at.ts) steps.pop()
    steps.push({ ts: event.at.ts, pool: state })
  }
  return steps
}

/**
 * The windows of these pools as of a block, from stored events: the same states that following the
 * chain would have recorded. Where earlier events are not stored a window begins late, and the pool
 * prices nothing until five minutes are known (methodology §3).
 */
export const readWindowSteps = async (
  store: Reader,
  pools: Iterable<TrackedPool>,
  at: BlockRef,
): Promise<ReadonlyMap<PoolNumber, readonly PoolStep[]>> => {
  const start = await findStart(store, at)
  const ancestor = { block: start.block, ts: start.ts, hash: at.hash }
  const changed = new Set(await store.readPoolsChangedAfter(ancestor))
  const steps = new Map<PoolNumber, readonly PoolStep[]>()
  for (const pool of pools) {
    const { number } = pool.identity
    const own = changed.has(number) ? await readSteps(store, pool, { start, at }) : null
    if (own !== null) steps.set(number, own)
    else if (start.isLate) steps.set(number, [{ ts: start.ts, pool }])
  }
  return steps
}
