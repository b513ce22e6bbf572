import type { UnixSeconds } from '../../domain/units.ts'
import type { PoolRow, PoolRows } from './pool-rows.ts'
import { numbersDiffering, placesIn, valueAt } from './pool-table.ts'
import { type Compare, createRanking, type Ranking } from './ranking.ts'

/** A ranking that is wanted of these rows. */
type Wanted = {
  readonly name: string
  readonly rows: PoolRows
  readonly now: UnixSeconds
  readonly compare: Compare<PoolRow>
  /** Whether a row belongs to it; by nothing but the row. */
  readonly isIn: (row: PoolRow) => boolean
  /** All rows that belong to it, in order. */
  readonly make: () => readonly PoolRow[]
}

/** Rankings that are mended by the rows that have changed instead of being made anew. */
export type FollowedRankings = {
  readonly of: (wanted: Wanted) => Ranking<PoolRow>
}

type Followed = {
  readonly ranking: Ranking<PoolRow>
  /** Those that it is a ranking of. */
  readonly rows: PoolRows
  readonly usedTs: UnixSeconds
}

/** Sorting a few rows into many beats sorting all while they are fewer than one in this many. */
const mendableShare = 16

/** What nobody asks for holds on to rows of long ago. */
const unusedSecondsMax = 30

/** Of more names than `rankingsMax` the one that was not asked for the longest is forgotten. */
export const createFollowedRankings = (rankingsMax: number): FollowedRankings => {
  const kept = new Map<string, Followed>()
  let latest: PoolRows = []

  const forgetUnused = (rows: PoolRows, now: UnixSeconds): void => {
    if (rows === latest) return
    latest = rows
    for (const [name, { usedTs }] of kept) {
      if (Math.abs(now - usedTs) > unusedSecondsMax) kept.delete(name)
    }
  }

  const mend = (followed: Followed, { rows, isIn }: Wanted): boolean => {
    const before = followed.rows
    if (before === rows) return true
    const numbers = numbersDiffering(before, rows)
    if (numbers.length * mendableShare > placesIn(rows)) return false
    for (const number of numbers) {
      const [old, row] = [valueAt(before, number), valueAt(rows, number)]
      if (old !== undefined && isIn(old)) followed.ranking.remove(old)
      if (row !== undefined && isIn(row)) followed.ranking.insert(row)
    }
    return true
  }

  return {
    of: (wanted) => {
      const { name, rows, now, compare, make } = wanted
      forgetUnused(rows, now)
      const before = kept.get(name)
      // Should mending throw, it has done half of its work: the next one is made anew.
      kept.delete(name)
      const isMended = before !== undefined && mend(before, wanted)
      const ranking = isMended ? before.ranking : createRanking(make(), compare)
      // The first name is always the one that was not asked for the longest.
      const oldest = kept.keys().next()
      if (kept.size >= rankingsMax && !oldest.done) kept.delete(oldest.value)
      kept.set(name, { ranking, rows, usedTs: now })
      return ranking
    },
  }
}
