import type { UnixSeconds } from '../../domain/units.ts'
import { createMutex } from '../../util/mutex.ts'
import { runInSlices, type SlicedWork } from '../../util/time-slice.ts'
import { capacityOf, changedNumbers, getByNumber } from '../model/chunked-table.ts'
import type { PoolRow, PoolRows } from '../valuation/pool-rows.ts'
import { type Compare, editList, type SortedList, toSortedList } from './sorted-list.ts'

/** Asks for a ranking of these rows. */
export type RankingRequest = {
  readonly name: string
  readonly rows: PoolRows
  readonly now: UnixSeconds
  readonly compare: Compare<PoolRow>
  /** Whether a row belongs to it; by nothing but the row. */
  readonly isIn: (row: PoolRow) => boolean
  /** All rows that belong to it, in order. */
  readonly make: () => SlicedWork<readonly PoolRow[]>
}

/** Rankings that take over the rows that have changed instead of being sorted again. */
export type LiveRankings = (request: RankingRequest) => Promise<SortedList<PoolRow>>

type Ranking = {
  readonly list: SortedList<PoolRow>
  /** Those that it is a ranking of. */
  readonly rows: PoolRows
  readonly usedTs: UnixSeconds
}

/** Sorting a few rows into many beats sorting all while they are fewer than one in this many. */
const updatableShare = 16

/** About three milliseconds of work. */
const changesPerSlice = 1000

/** What nobody asks for holds on to rows of long ago. */
const unusedSecondsMax = 30

/** The list of before with the rows that have changed; null if they are too many. */
const updated = function* (
  before: Ranking,
  { rows, compare, isIn }: RankingRequest,
): SlicedWork<SortedList<PoolRow> | null> {
  if (before.rows === rows) return before.list
  const numbers = changedNumbers(before.rows, rows)
  if (numbers.length * updatableShare > capacityOf(rows)) return null
  const list = editList(before.list, compare)
  for (const [at, number] of numbers.entries()) {
    if (at > 0 && at % changesPerSlice === 0) yield
    const [old, row] = [getByNumber(before.rows, number), getByNumber(rows, number)]
    if (old !== undefined && isIn(old)) list.remove(old)
    if (row !== undefined && isIn(row)) list.insert(row)
  }
  return list.finish()
}

/** Of more names than `rankingsMax` the one that was not asked for the longest is forgotten. */
export const createLiveRankings = (rankingsMax: number): LiveRankings => {
  const kept = new Map<string, Ranking>()
  /** For long work: if one slice of each followed the other, they would be a long one together. */
  const turns = createMutex()
  /** Of names that somebody waits for: no more than there are requests. */
  const underWay = new Map<string, Promise<SortedList<PoolRow>>>()
  let latest: PoolRows = []

  const forgetUnused = (rows: PoolRows, now: UnixSeconds): void => {
    if (rows === latest) return
    latest = rows
    for (const [name, { usedTs }] of kept) {
      if (Math.abs(now - usedTs) > unusedSecondsMax) kept.delete(name)
    }
  }

  const follow = function* (request: RankingRequest): SlicedWork<SortedList<PoolRow>> {
    const { name, rows, now, make } = request
    forgetUnused(rows, now)
    const before = kept.get(name)
    // Should the update throw, the next ranking is made from nothing.
    kept.delete(name)
    const list = (before && (yield* updated(before, request))) ?? toSortedList(yield* make())
    // The first name is always the one that was not asked for the longest.
    const oldest = kept.keys().next()
    if (kept.size >= rankingsMax && !oldest.done) kept.delete(oldest.value)
    kept.set(name, { list, rows, usedTs: now })
    return list
  }

  return async (request) => {
    const { name } = request
    // What is under way may be of other rows: afterwards there is little left to do.
    while (underWay.has(name)) await underWay.get(name)
    const work = follow(request)
    const first = work.next()
    if (first.done) return first.value
    const made = turns(() => runInSlices(work)).finally(() => underWay.delete(name))
    underWay.set(name, made)
    return made
  }
}
