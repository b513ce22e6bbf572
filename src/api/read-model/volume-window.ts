import { microPerUsd } from '../../domain/pool/stored-events.ts'
import type { UnixSeconds } from '../../domain/units.ts'
import type { PoolVolume } from '../../domain/valuation/pool-view.ts'
import type { VolumeSecond } from '../../ports/store-rows.ts'

const hourSeconds = 3600
const daySeconds = 86_400

/** What the swaps that are known sum up to. */
export type VolumeSums = Omit<PoolVolume, 'isGap'>

export const noVolume: VolumeSums = {
  vol1hUsd: 0,
  vol24hUsd: 0,
  swaps24h: 0,
  estimatedSwaps24h: 0,
}

/** A pool's swaps of the last day by the second, and their sums (docs/methodology.md §5). */
export type VolumeWindow = {
  /** Seconds come in order; swaps of several blocks may share one. */
  readonly add: (second: VolumeSecond) => void
  /**
   * The volumes of (headTs − 3600, headTs] and (headTs − 86400, headTs]. The same object as before
   * when nothing has changed; `headTs` never falls.
   */
  readonly volumeAt: (headTs: UnixSeconds) => VolumeSums
  readonly isEmpty: () => boolean
}

/** A second's numbers lie side by side in one array: objects would take twice the memory. */
const width = 5
const [tsAt, usdMicroAt, swapsAt, unpricedAt, estimatedAt] = [0, 1, 2, 3, 4] as const
const secondsFirst = 8

/** Sums of whole numbers: exact below 2^53, so what leaves a window can be taken off again. */
const createSums = () => {
  const sums = new Float64Array(width)
  return {
    sums,
    apply: (cells: Float64Array, index: number, sign: 1 | -1): void => {
      for (let field = usdMicroAt; field < width; field++) {
        sums[field] = (sums[field] ?? 0) + sign * (cells[index * width + field] ?? 0)
      }
    },
    usd: (): number | null =>
      (sums[unpricedAt] ?? 0) > 0 ? null : (sums[usdMicroAt] ?? 0) / microPerUsd,
  }
}

/*
 *   cells   | gone | last day ........ | last hour ... |  free  |
 *           0      dayStart            hourStart       end      capacity
 */
export const createVolumeWindow = (): VolumeWindow => {
  let cells = new Float64Array(secondsFirst * width)
  let [dayStart, hourStart, end] = [0, 0, 0]
  const day = createSums()
  const hour = createSums()
  let volume = noVolume
  let isStale = false

  /** At most a day of seconds is ever kept, so the array stops growing at twice that. */
  const makeRoom = (): void => {
    const kept = cells.subarray(dayStart * width, end * width)
    const isMostlyGone = dayStart * width * 2 > cells.length
    const next = isMostlyGone ? cells : new Float64Array(cells.length * 2)
    next.set(kept)
    cells = next
    hourStart -= dayStart
    end -= dayStart
    dayStart = 0
  }

  const tsOf = (index: number): UnixSeconds => cells[index * width + tsAt] ?? 0

  return {
    add: ({ ts, usdMicro, swaps, unpriced, estimated }) => {
      if (end * width === cells.length) makeRoom()
      cells.set([ts, usdMicro, swaps, unpriced, estimated], end * width)
      day.apply(cells, end, 1)
      hour.apply(cells, end, 1)
      end += 1
      isStale = true
    },
    volumeAt: (headTs) => {
      for (; hourStart < end && tsOf(hourStart) <= headTs - hourSeconds; hourStart++) {
        hour.apply(cells, hourStart, -1)
        isStale = true
      }
      for (; dayStart < hourStart && tsOf(dayStart) <= headTs - daySeconds; dayStart++) {
        day.apply(cells, dayStart, -1)
        isStale = true
      }
      if (!isStale) return volume
      isStale = false
      volume = {
        vol1hUsd: hour.usd(),
        vol24hUsd: day.usd(),
        swaps24h: day.sums[swapsAt] ?? 0,
        estimatedSwaps24h: day.sums[estimatedAt] ?? 0,
      }
      return volume
    },
    isEmpty: () => dayStart === end,
  }
}
