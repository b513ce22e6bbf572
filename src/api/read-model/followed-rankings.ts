import type { UnixSeconds } from '../../domain/units.ts'
import { createMutex } from '../../util/mutex.ts'
import { runInSlices, type SlicedWork } from '../../util/time-slice.ts'
import type { PoolRow, PoolRows } from './pool-rows.ts'
import { numbersDiffering, placesIn, valueAt } from './pool-table.ts'
import { type Compare, createRanking, type Ranking } from './ranking.ts'

/** A ranking that is wanted of these rows. */
export type Wanted = {
  readonly name: string
  readonly rows: PoolRows
  readonly now: UnixSeconds
  readonly compare: Compare<PoolRow>
  /** Whether a row belongs to it; by nothing but the row. */
  readonly isIn: (row: PoolRow) => boolean
  /** All rows that belong to it, in order. */
  readonly make: () => SlicedWork<readonly PoolRow[]>
}

/** Rankings that are mended by the rows that have changed instead of being made anew. */
export type FollowedRankings = {
  /**
   * The ranking, until one of its name is asked for again. If there is much to do for it, what is
   * under way, perhaps for somebody else's rows: to be awaited, and then asked again.
   */
  readonly of: (wanted: Wanted) => Ranking<PoolRow> | Promise<void>
}

type Followed = {
  readonly ranking: Ranking<PoolRow>
  /** Those that it is a ranking of. */
  readonly rows: PoolRows
  readonly usedTs: UnixSeconds
}

/** Sorting a few rows into many beats sorting all while they are fewer than one in this many. */
const mendableShare = 16

/** About three milliseconds of work. */
const changesPerSlice = 1000

/** What nobody asks for holds on to rows of long ago. */
const unusedSecondsMax = 30

/** Of more names than `rankingsMax` the one that was not asked for the longest is forgotten. */
export const createFollowedRankings = (rankingsMax: number): FollowedRankings => {
  const kept = new Map<string, Followed>()
  /** For long work: if one slice of each followed the other, they would be a long one together. */
  const mutex = createMutex()
  /** Of names that somebody waits for: no more than there are requests. */
  const underWay = new Map<string, Promise<void>>()
  let latest: PoolRows = []

  const forgetUnused = (rows: PoolRows, now: UnixSeconds): void => {
    if (rows === latest) return
    latest = rows
    for (const [name, { usedTs }] of kept) {
      if (Math.abs(now - usedTs) > unusedSecondsMax) kept.delete(name)
    }
  }

  const mend = function* (followed: Followed, { rows, isIn }: Wanted): SlicedWork<boolean> {
    const before = followed.rows
    if (before === rows) return true
    const numbers = numbersDiffering(before, rows)
    if (numbers.length * mendableShare > placesIn(rows)) return false
    for (const [at, number] of numbers.entries()) {
      if (at > 0 && at % changesPerSlice === 0) yield
      const [old, row] = [valueAt(before, number), valueAt(rows, number)]
      if (old !== undefined && isIn(old)) followed.ranking.remove(old)
      if (row !== undefined && isIn(row)) followed.ranking.insert(row)
    }
    return true
  }

  const follow = function* (wanted: Wanted): SlicedWork<Ranking<PoolRow>> {
    const { name, rows, now, compare, make } = wanted
    forgetUnused(rows, now)
    const before = kept.get(name)
    // Should mending throw, it has done half of its work: the next one is made anew.
    kept.delete(name)
    const isMended = before !== undefined && (yield* mend(before, wanted))
    const ranking = isMended ? before.ranking : createRanking(yield* make(), compare)
    // The first name is always the one that was not asked for the longest.
    const oldest = kept.keys().next()
    if (kept.size >= rankingsMax && !oldest.done) kept.delete(oldest.value)
    kept.set(name, { ranking, rows, usedTs: now })
    return ranking
  }

  return {
    of: (wanted) => {
      const { name } = wanted
      const pending = underWay.get(name)
      if (pending !== undefined) return pending
      const work = follow(wanted)
      const first = work.next()
      if (first.done) return first.value
      const made = mutex(async () => {
        await runInSlices(work)
      }).finally(() => {
        underWay.delete(name)
      })
      underWay.set(name, made)
      // Whoever waits is told if it fails; that nobody waits is no failure.
      made.catch(() => undefined)
      return made
    },
  }
}
