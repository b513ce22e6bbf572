import type { UnixSeconds } from '../../domain/units.ts'
import { createMutex } from '../../util/mutex.ts'
import { runInSlices, type SlicedWork } from '../../util/time-slice.ts'
import { capacityOf, changedNumbers, getByNumber } from '../model/chunked-table.ts'
import type { PoolRow, PoolRows } from '../valuation/pool-rows.ts'
import { type Compare, editList, type SortedList, toSortedList } from './sorted-list.ts'

export type RankingRequest = {
  readonly name: string
  readonly rows: PoolRows
  readonly now: UnixSeconds
  readonly compare: Compare<PoolRow>
  /** Whether the ranking includes a row; must depend on the row only. */
  readonly includes: (row: PoolRow) => boolean
  /** Builds the ranking from scratch: all included rows, in order. */
  readonly build: () => SlicedWork<readonly PoolRow[]>
}

/** Returns a ranking by name. Updates it by the changed rows if it can instead of sorting again. */
export type LiveRankings = (request: RankingRequest) => Promise<SortedList<PoolRow>>

type Ranking = {
  readonly list: SortedList<PoolRow>
  /** The rows that the list ranks. */
  readonly rows: PoolRows
  readonly usedTs: UnixSeconds
}

/** Updating is faster than sorting while fewer than one in this many rows changed. */
const updatableShare = 16

/** About three milliseconds of work. */
const changesPerSlice = 1000

/** An unused ranking keeps old rows in memory. */
const unusedSecondsMax = 30

/** The ranking with the changed rows applied; null if too many changed. */
const updateRanking = function* (
  before: Ranking,
  { rows, compare, includes }: RankingRequest,
): SlicedWork<SortedList<PoolRow> | null> {
  if (before.rows === rows) return before.list
  const numbers = changedNumbers(before.rows, rows)
  if (numbers.length * updatableShare > capacityOf(rows)) return null
  const list = editList(before.list, compare)
  for (const [at, number] of numbers.entries()) {
    if (at > 0 && at % changesPerSlice === 0) yield
    const [old, row] = [getByNumber(before.rows, number), getByNumber(rows, number)]
    if (old !== undefined && includes(old)) list.remove(old)
    if (row !== undefined && includes(row)) list.insert(row)
  }
  return list.finish()
}

/** Evicts the least recently used ranking above `rankingsMax`. */
export const createLiveRankings = (rankingsMax: number): LiveRankings => {
  /** In the order of their last use. */
  const rankings = new Map<string, Ranking>()
  /** Keeps slices of several rankings from running back to back as one long slice. */
  const mutex = createMutex()
  const pending = new Map<string, Promise<SortedList<PoolRow>>>()
  let latest: PoolRows = []

  const evictUnused = (rows: PoolRows, now: UnixSeconds): void => {
    if (rows === latest) return
    latest = rows
    for (const [name, { usedTs }] of rankings) {
      if (Math.abs(now - usedTs) > unusedSecondsMax) rankings.delete(name)
    }
  }

  const refresh = function* (request: RankingRequest): SlicedWork<SortedList<PoolRow>> {
    const { name, rows, now, build } = request
    evictUnused(rows, now)
    const before = rankings.get(name)
    // If the update throws, the next request builds the ranking from scratch.
    rankings.delete(name)
    const list = (before && (yield* updateRanking(before, request))) ?? toSortedList(yield* build())
    const oldest = rankings.keys().next()
    if (rankings.size >= rankingsMax && !oldest.done) rankings.delete(oldest.value)
    rankings.set(name, { list, rows, usedTs: now })
    return list
  }

  return async (request) => {
    const { name } = request
    // The running work may rank older rows: after it, little is left to update.
    while (pending.has(name)) await pending.get(name)
    const work = refresh(request)
    const first = work.next()
    if (first.done) return first.value
    const result = mutex(() => runInSlices(work)).finally(() => pending.delete(name))
    pending.set(name, result)
    return result
  }
}
