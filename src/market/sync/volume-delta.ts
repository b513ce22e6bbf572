import { secondsPerDay, secondsPerHour } from '../../domain/time.ts'
import type { UnixSeconds } from '../../domain/units.ts'
import type { StoreSnapshot } from '../../ports/store.ts'
import type { IndexHeader, VolumeSum } from '../../ports/store-batches.ts'

/** What came into a window and what left it, in any number of parts. */
type WindowChange = { readonly entered: readonly VolumeSum[]; readonly left: readonly VolumeSum[] }

/** How the volumes of the last hour and day became others (docs/methodology.md §5). */
export type VolumeChange = {
  /** Everything that was counted before is to be forgotten. */
  readonly isWhole: boolean
  readonly hour: WindowChange
  readonly day: WindowChange
}

/** Below every block. */
const noBlock = -1

const noChange: VolumeChange = {
  isWhole: false,
  hour: { entered: [], left: [] },
  day: { entered: [], left: [] },
}

/** Whether swaps of the past have come that would have been counted, had they been there. */
const hasNewPast = (
  before: IndexHeader,
  { backfillCursor }: IndexHeader,
  countedTs: UnixSeconds,
) => {
  if (before.backfillCursor === null || backfillCursor === null) return false
  const isMoved = before.backfillCursor.completeAfter.block !== backfillCursor.completeAfter.block
  return isMoved && before.backfillCursor.completeAfter.ts > countedTs - secondsPerDay
}

/*
 * The day by hours that are summed up already, and by the swaps of what is no whole hour. The last
 * of these are swaps of the last hour as well, and are read once for both.
 *
 *   t - 86400                                    t - 3600  t
 *   ----(----|--------|--------|--- ... ---|--------(---|--]
 *       swaps   hours of candles                  swaps | swaps
 */
const readWhole = async (snapshot: StoreSnapshot, headTs: UnixSeconds): Promise<VolumeChange> => {
  const swapsOf = (afterTs: UnixSeconds, toTs: UnixSeconds) =>
    snapshot.volume({ afterTs, toTs, afterBlock: noBlock })
  const dayTs = headTs - secondsPerDay
  const fromTs = Math.ceil((dayTs + 1) / secondsPerHour) * secondsPerHour
  const toTs = Math.floor((headTs + 1) / secondsPerHour) * secondsPerHour
  const first = await swapsOf(dayTs, fromTs - 1)
  const hours = await snapshot.hourlyVolume({ fromTs, toTs })
  const earlier = await swapsOf(headTs - secondsPerHour, toTs - 1)
  const latest = await swapsOf(toTs - 1, headTs)
  return {
    isWhole: true,
    hour: { entered: [...earlier, ...latest], left: [] },
    day: { entered: [...first, ...hours, ...latest], left: [] },
  }
}

/**
 * What has changed since `before` (null: nothing was counted yet). Block times never fall, so what
 * a window held at the time of `before`, and what has come since, is all that can leave it.
 */
export const readVolumeChange = async (
  snapshot: StoreSnapshot,
  header: IndexHeader,
  before: IndexHeader | null,
): Promise<VolumeChange> => {
  const { cursor } = header
  if (cursor === null) return noChange
  const known = before?.cursor ?? null
  if (before === null || known === null) return readWhole(snapshot, cursor.ts)
  // After so long what leaves is more than what there is.
  const isLong = cursor.ts - known.ts >= secondsPerHour
  if (isLong || hasNewPast(before, header, known.ts)) return readWhole(snapshot, cursor.ts)
  if (cursor.block === known.block) return noChange
  const entered = await snapshot.volume({
    afterTs: known.ts - 1,
    toTs: cursor.ts,
    afterBlock: known.block,
  })
  const leftOf = async (seconds: number): Promise<readonly VolumeSum[]> => {
    if (cursor.ts === known.ts) return []
    const [afterTs, toTs] = [known.ts - seconds, cursor.ts - seconds]
    return snapshot.volume({ afterTs, toTs, afterBlock: noBlock })
  }
  return {
    isWhole: false,
    hour: { entered, left: await leftOf(secondsPerHour) },
    day: { entered, left: await leftOf(secondsPerDay) },
  }
}
