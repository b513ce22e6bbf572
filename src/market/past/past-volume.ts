import { bucketStart } from '../../domain/series/series-range.ts'
import { secondsPerDay, secondsPerHour, secondsPerMinute } from '../../domain/time.ts'
import type { UnixSeconds } from '../../domain/units.ts'
import type { PoolVolume } from '../../domain/valuation/pool-inputs.ts'
import { unknownFilteredVolume } from '../../domain/volume/pool-sums.ts'
import type { StoreSnapshot } from '../../ports/store.ts'
import type { VolumeSum } from '../../ports/store-batches.ts'
import type { ListedPool } from '../model/model-pool.ts'
import { combineVolumes, toPoolVolume } from '../model/volume-windows.ts'
import type { PastBlock } from './resolve-block.ts'

type Given = {
  readonly pool: Pick<ListedPool, 'number'>
  readonly at: PastBlock
  /** Swaps are kept from this time on. */
  readonly keptSince: UnixSeconds
}

/**
 * Volume of (t - seconds, t]: whole minutes from their candles, so that a busy pool costs no more
 * than a quiet one, and the two that are cut from their swaps.
 */
const sumWindow = async (
  snapshot: StoreSnapshot,
  { pool: { number: pool }, at: { block, timed } }: Given,
  seconds: number,
): Promise<VolumeSum | undefined> => {
  const startTs = timed.ts - seconds + 1
  const fromTs = bucketStart(startTs + secondsPerMinute - 1, secondsPerMinute)
  const toTs = bucketStart(timed.ts, secondsPerMinute)
  const sumSwaps = (from: UnixSeconds, to: UnixSeconds) =>
    from === to ? null : snapshot.poolVolume({ pool, fromTs: from, toTs: to, toBlock: block })
  const sums = [
    await sumSwaps(startTs, fromTs),
    await sumSwaps(toTs, timed.ts + 1),
    fromTs < toTs ? await snapshot.minuteVolume({ pool, fromTs, toTs }) : null,
  ]
  return sums
    .filter((sum) => sum !== null)
    .reduce<VolumeSum | undefined>(
      (sum, each) => (sum === undefined ? each : combineVolumes(sum, each, 1)),
      undefined,
    )
}

/** Whether swaps of the hour and the day before a block are not kept. */
export const pastGapsOf = ({
  at: { timed },
  keptSince,
}: Given): { readonly hour: boolean; readonly day: boolean } => {
  const isCut = (seconds: number): boolean => timed.ts - seconds + 1 < keptSince
  return { hour: isCut(secondsPerHour), day: isCut(secondsPerDay) }
}

/** The volumes of the hour and the day before a block; null where swaps are not kept. */
export const readPastVolume = async (
  snapshot: StoreSnapshot,
  given: Given,
): Promise<PoolVolume> => {
  const hour = await sumWindow(snapshot, given, secondsPerHour)
  const day = await sumWindow(snapshot, given, secondsPerDay)
  const gaps = pastGapsOf(given)
  const volume = toPoolVolume({ hour, day })
  return {
    ...volume,
    vol1hUsd: gaps.hour ? null : volume.vol1hUsd,
    vol24hUsd: gaps.day ? null : volume.vol24hUsd,
    feeYield24h: gaps.day ? null : volume.feeYield24h,
    ...(gaps.day ? unknownFilteredVolume : {}),
    isGap: gaps.day,
  }
}
