import { feeYieldParts } from '../../domain/earnings/fee-yield.ts'
import type { PoolNumber } from '../../domain/pool/pool-state.ts'
import { microPerUsd } from '../../domain/pool/stored-rows.ts'
import { secondsPerDay, secondsPerHour } from '../../domain/time.ts'
import type { UnixSeconds } from '../../domain/units.ts'
import type { PoolVolume } from '../../domain/valuation/pool-inputs.ts'
import { noFilteredVolume, unknownFilteredVolume } from '../../domain/volume/pool-sums.ts'
import type { StoreSnapshot } from '../../ports/store.ts'
import type { IndexHeader, VolumeSum } from '../../ports/store-batches.ts'

/** Sums to add to a window and to subtract from it; a pool may have several. */
type WindowChange = { readonly entered: readonly VolumeSum[]; readonly left: readonly VolumeSum[] }

/** How the volumes of the last hour and day change (docs/methodology.md §5). */
export type VolumeChange = {
  /** Resets both windows before the change is applied. */
  readonly isReset: boolean
  readonly hour: WindowChange
  readonly day: WindowChange
}

/** Below every block. */
const noBlock = -1

const noChange: VolumeChange = {
  isReset: false,
  hour: { entered: [], left: [] },
  day: { entered: [], left: [] },
}

/** Whether the backfill added swaps inside the windows that were already counted. */
const isBackfilled = (
  before: IndexHeader,
  { backfillCursor }: IndexHeader,
  countedTs: UnixSeconds,
) => {
  if (before.backfillCursor === null || backfillCursor === null) return false
  const { completeAfter } = before.backfillCursor
  const isMoved = completeAfter.block !== backfillCursor.completeAfter.block
  return isMoved && completeAfter.ts > countedTs - secondsPerDay
}

/*
 * Reads the day from hourly candles, and from swaps where an hour is not complete. The swaps of the
 * running hour belong to both windows and are read once.
 *
 *   t - 86400                                    t - 3600  t
 *   ----(----|--------|--------|--- ... ---|--------(---|--]
 *       swaps   hours of candles                  swaps | swaps
 */
const readFromScratch = async (
  snapshot: StoreSnapshot,
  headTs: UnixSeconds,
): Promise<VolumeChange> => {
  const sumSwaps = (afterTs: UnixSeconds, toTs: UnixSeconds) =>
    snapshot.volume({ afterTs, toTs, afterBlock: noBlock })
  const dayTs = headTs - secondsPerDay
  const fromTs = Math.ceil((dayTs + 1) / secondsPerHour) * secondsPerHour
  const toTs = Math.floor((headTs + 1) / secondsPerHour) * secondsPerHour
  const first = await sumSwaps(dayTs, fromTs - 1)
  const hours = await snapshot.hourlyVolume({ fromTs, toTs })
  const earlier = await sumSwaps(headTs - secondsPerHour, toTs - 1)
  const latest = await sumSwaps(toTs - 1, headTs)
  return {
    isReset: true,
    hour: { entered: [...earlier, ...latest], left: [] },
    day: { entered: [...first, ...hours, ...latest], left: [] },
  }
}

/**
 * Reads the change since `before` (null: nothing was counted). Block times never decrease, so only
 * what a window held at `before`, or what was added since, can leave it.
 */
export const readVolumeChange = async (
  snapshot: StoreSnapshot,
  header: IndexHeader,
  before: IndexHeader | null,
): Promise<VolumeChange> => {
  const { cursor } = header
  if (cursor === null) return noChange
  const counted = before?.cursor ?? null
  if (before === null || counted === null) return readFromScratch(snapshot, cursor.ts)
  // After an hour more has left the windows than remains in them.
  const isLong = cursor.ts - counted.ts >= secondsPerHour
  if (isLong || isBackfilled(before, header, counted.ts)) {
    return readFromScratch(snapshot, cursor.ts)
  }
  if (cursor.block === counted.block) return noChange
  const entered = await snapshot.volume({
    afterTs: counted.ts - 1,
    toTs: cursor.ts,
    afterBlock: counted.block,
  })
  const readLeft = async (seconds: number): Promise<readonly VolumeSum[]> => {
    if (cursor.ts === counted.ts) return []
    const [afterTs, toTs] = [counted.ts - seconds, cursor.ts - seconds]
    return snapshot.volume({ afterTs, toTs, afterBlock: noBlock })
  }
  return {
    isReset: false,
    hour: { entered, left: await readLeft(secondsPerHour) },
    day: { entered, left: await readLeft(secondsPerDay) },
  }
}

/** Volume of a pool without a swap in the last day: one shared object. */
export const noVolumes: PoolVolume = {
  vol1hUsd: 0,
  vol24hUsd: 0,
  swaps24h: 0,
  estimatedSwaps24h: 0,
  implausibleSwaps24h: 0,
  feeYield24h: 0,
  isGap: false,
  ...noFilteredVolume,
}

/** The volumes of all pools in the last hour and day (docs/methodology.md §5). */
export type VolumeWindows = {
  /** Returns the pools whose volumes changed. */
  readonly apply: (change: VolumeChange) => ReadonlySet<PoolNumber>
  /** The sum of the indexed swaps; the same object until it changes. */
  readonly get: (pool: PoolNumber) => PoolVolume
}

/** Adds `sign` times `change` to a sum. Integers: what was added can be subtracted exactly. */
export const combineVolumes = (sum: VolumeSum, change: VolumeSum, sign: 1 | -1): VolumeSum => ({
  pool: sum.pool,
  usdMicro: sum.usdMicro + BigInt(sign) * change.usdMicro,
  swaps: sum.swaps + sign * change.swaps,
  unpriced: sum.unpriced + sign * change.unpriced,
  estimated: sum.estimated + sign * change.estimated,
  implausible: sum.implausible + sign * change.implausible,
  feeYield: sum.feeYield + BigInt(sign) * change.feeYield,
  yielded: sum.yielded + sign * change.yielded,
})

const createWindow = () => {
  const sums = new Map<PoolNumber, VolumeSum>()
  return {
    get: (pool: PoolNumber): VolumeSum | undefined => sums.get(pool),
    clear: () => sums.clear(),
    add: (entered: VolumeSum): void => {
      const sum = sums.get(entered.pool)
      sums.set(entered.pool, sum === undefined ? entered : combineVolumes(sum, entered, 1))
    },
    subtract: (left: VolumeSum): void => {
      const sum = sums.get(left.pool)
      if (sum === undefined || sum.swaps < left.swaps) {
        throw new Error(`pool ${left.pool}: cannot subtract swaps that were not counted`)
      }
      if (sum.swaps === left.swaps) sums.delete(left.pool)
      else sums.set(left.pool, combineVolumes(sum, left, -1))
    },
  }
}

const usdOf = (sum: VolumeSum | undefined): number | null => {
  if (sum === undefined) return 0
  return sum.unpriced > 0 ? null : Number(sum.usdMicro) / microPerUsd
}

/** Candles stop at their limit, so that more may leave than came in. */
const yieldOf = ({ feeYield, swaps, yielded }: VolumeSum): number | null =>
  yielded === swaps ? Math.max(0, Number(feeYield)) / feeYieldParts : null

/** The volume by the sums of both windows (undefined: no swap), unfiltered. */
export const toPoolVolume = (sums: {
  readonly hour: VolumeSum | undefined
  readonly day: VolumeSum | undefined
}): PoolVolume => {
  const { hour, day } = sums
  if (day === undefined) return noVolumes
  return {
    vol1hUsd: usdOf(hour),
    vol24hUsd: usdOf(day),
    swaps24h: day.swaps,
    estimatedSwaps24h: day.estimated,
    implausibleSwaps24h: day.implausible,
    feeYield24h: yieldOf(day),
    isGap: false,
    ...unknownFilteredVolume,
  }
}

const isSameVolume = (a: PoolVolume, b: PoolVolume): boolean =>
  a.vol1hUsd === b.vol1hUsd &&
  a.vol24hUsd === b.vol24hUsd &&
  a.swaps24h === b.swaps24h &&
  a.estimatedSwaps24h === b.estimatedSwaps24h &&
  a.implausibleSwaps24h === b.implausibleSwaps24h &&
  a.feeYield24h === b.feeYield24h

export const createVolumeWindows = (): VolumeWindows => {
  const hour = createWindow()
  const day = createWindow()
  /** Pools with a swap in the last day. */
  const volumes = new Map<PoolNumber, PoolVolume>()
  const get = (pool: PoolNumber): PoolVolume => volumes.get(pool) ?? noVolumes

  const sumPool = (pool: PoolNumber): PoolVolume =>
    toPoolVolume({ hour: hour.get(pool), day: day.get(pool) })

  /** Returns whether the volume changed. */
  const update = (pool: PoolNumber): boolean => {
    const next = sumPool(pool)
    const isChanged = !isSameVolume(get(pool), next)
    if (next === noVolumes) volumes.delete(pool)
    else if (isChanged) volumes.set(pool, next)
    return isChanged
  }

  return {
    get,
    apply: (change) => {
      const affected = new Set<PoolNumber>()
      if (change.isReset) {
        for (const pool of volumes.keys()) affected.add(pool)
        hour.clear()
        day.clear()
      }
      for (const [window, { entered, left }] of [
        [hour, change.hour],
        [day, change.day],
      ] as const) {
        for (const sum of entered) window.add(sum)
        for (const sum of left) window.subtract(sum)
        for (const { pool } of [...entered, ...left]) affected.add(pool)
      }
      for (const pool of affected) if (!update(pool)) affected.delete(pool)
      return affected
    },
  }
}
