import type { PoolNumber } from '../../domain/pool/pool-state.ts'
import { microPerUsd } from '../../domain/pool/stored-rows.ts'
import type { PoolVolume } from '../../domain/valuation/value-pool.ts'
import type { VolumeSum } from '../../ports/store-batches.ts'
import type { VolumeChange } from '../sync/volume-delta.ts'

/** Of nearly all pools: one object for all of them. */
export const noVolumes: PoolVolume = {
  vol1hUsd: 0,
  vol24hUsd: 0,
  swaps24h: 0,
  estimatedSwaps24h: 0,
  isGap: false,
}

/** The volumes of all pools in the last hour and day (docs/methodology.md §5). */
export type VolumeWindows = {
  /** The pools whose volumes have become others. */
  readonly take: (change: VolumeChange) => ReadonlySet<PoolNumber>
  /**
   * What the swaps that are known sum up to, as if there were no others. The same object as before
   * when nothing has changed.
   */
  readonly of: (pool: PoolNumber) => PoolVolume
}

/** Sums of whole numbers are exact: what leaves a window is taken off again. */
const createWindow = () => {
  const sums = new Map<PoolNumber, VolumeSum>()
  return {
    of: (pool: PoolNumber): VolumeSum | undefined => sums.get(pool),
    clear: () => sums.clear(),
    enter: (more: VolumeSum): void => {
      const sum = sums.get(more.pool)
      const total = sum && {
        pool: sum.pool,
        usdMicro: sum.usdMicro + more.usdMicro,
        swaps: sum.swaps + more.swaps,
        unpriced: sum.unpriced + more.unpriced,
        estimated: sum.estimated + more.estimated,
      }
      sums.set(more.pool, total ?? more)
    },
    leave: (gone: VolumeSum): void => {
      const sum = sums.get(gone.pool)
      if (sum === undefined || sum.swaps < gone.swaps) {
        throw new Error(`pool ${gone.pool}: swaps leave a volume that were never counted in it`)
      }
      sums.delete(gone.pool)
      if (sum.swaps === gone.swaps) return
      sums.set(gone.pool, {
        pool: sum.pool,
        usdMicro: sum.usdMicro - gone.usdMicro,
        swaps: sum.swaps - gone.swaps,
        unpriced: sum.unpriced - gone.unpriced,
        estimated: sum.estimated - gone.estimated,
      })
    },
  }
}

const usdOf = (sum: VolumeSum | undefined): number | null => {
  if (sum === undefined) return 0
  return sum.unpriced > 0 ? null : Number(sum.usdMicro) / microPerUsd
}

const isSame = (a: PoolVolume, b: PoolVolume): boolean =>
  a.vol1hUsd === b.vol1hUsd &&
  a.vol24hUsd === b.vol24hUsd &&
  a.swaps24h === b.swaps24h &&
  a.estimatedSwaps24h === b.estimatedSwaps24h

export const createVolumeWindows = (): VolumeWindows => {
  const hour = createWindow()
  const day = createWindow()
  /** Of the pools that traded within the day. */
  const known = new Map<PoolNumber, PoolVolume>()
  const of = (pool: PoolNumber): PoolVolume => known.get(pool) ?? noVolumes

  const volumesOf = (pool: PoolNumber): PoolVolume => {
    const sum = day.of(pool)
    if (sum === undefined) return noVolumes
    return {
      vol1hUsd: usdOf(hour.of(pool)),
      vol24hUsd: usdOf(sum),
      swaps24h: sum.swaps,
      estimatedSwaps24h: sum.estimated,
      isGap: false,
    }
  }

  const settle = (pool: PoolNumber): boolean => {
    const next = volumesOf(pool)
    const isOther = !isSame(of(pool), next)
    if (next === noVolumes) known.delete(pool)
    else if (isOther) known.set(pool, next)
    return isOther
  }

  return {
    of,
    take: (change) => {
      const touched = new Set<PoolNumber>()
      if (change.isWhole) {
        for (const pool of known.keys()) touched.add(pool)
        hour.clear()
        day.clear()
      }
      for (const [window, { entered, left }] of [
        [hour, change.hour],
        [day, change.day],
      ] as const) {
        for (const sum of entered) window.enter(sum)
        for (const sum of left) window.leave(sum)
        for (const { pool } of entered) touched.add(pool)
        for (const { pool } of left) touched.add(pool)
      }
      for (const pool of touched) if (!settle(pool)) touched.delete(pool)
      return touched
    },
  }
}
