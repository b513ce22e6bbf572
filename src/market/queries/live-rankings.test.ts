import { expect, test } from 'vitest'
import { tableOf } from '../../../test/support/market/pool-table.ts'
import { runInSlices, type SlicedWork, yieldToEventLoop } from '../../util/time-slice.ts'
import { editTable, iterateValues } from '../model/chunked-table.ts'
import type { PoolRow, PoolRows } from '../valuation/pool-rows.ts'
import { createLiveRankings, type LiveRankings, type RankingRequest } from './live-rankings.ts'
import { createPoolComparator, sortAll } from './pool-sort.ts'

/*
 *     asker   asks ── waits ─────────────────────────── list
 *     thread     slice  others  slice  others  slice
 */

const rowOf = (number: number, liquidityUsd: number): PoolRow =>
  ({
    pool: { id: `0x${((number * 7919) % 65_537).toString(16)}`, volume: { vol24hUsd: null } },
    liquidityUsd,
  }) as PoolRow

const rowsMax = 40_000
const numbers = [...Array(rowsMax).keys()]
const many = tableOf(numbers.map((number) => rowOf(number, (number * 31) % 997)))

/** So many of them changed, all over the table. */
const changed = (count: number): PoolRows => {
  const draft = editTable(many)
  for (let at = 0; at < count; at++) {
    const number = (at * 7) % rowsMax
    draft.set(number, rowOf(number, at % 100))
  }
  return draft.finish()
}

const order = { sort: null, order: 'desc' } as const
const sorted = (rows: PoolRows) => [...iterateValues(rows)].sort(createPoolComparator(order))

/** What was made, by name, and what is wanted of it. */
const createScene = () => {
  const made: string[] = []
  const wantedOf = (name: string, rows: PoolRows): RankingRequest => ({
    name,
    rows,
    now: 0,
    compare: createPoolComparator(order),
    includes: () => true,
    build: () => {
      made.push(name)
      return sortAll(rows, order)
    },
  })
  return { made, wantedOf, rankings: createLiveRankings(3) }
}

/** Requests a ranking and counts the turns of the event loop until it resolves. */
const ask = async (rankings: LiveRankings, wanted: RankingRequest) => {
  let turns = 0
  let isAsked = false
  const others = async (): Promise<void> => {
    for (; !isAsked; turns++) await yieldToEventLoop()
  }
  const done = others()
  try {
    return { rows: (await rankings(wanted)).flat(), turns }
  } finally {
    isAsked = true
    await done
  }
}

test('yields to other requests while building a large ranking', async () => {
  const { rankings, made, wantedOf } = createScene()
  const first = await ask(rankings, wantedOf('a', many))
  expect(first.rows).toEqual(sorted(many))
  expect(first.turns).toBeGreaterThan(10)
  expect((await ask(rankings, wantedOf('a', many))).turns).toBe(0)
  expect(made).toEqual(['a'])
})

test.each([
  ['updates for few changes in one slice', 500, 1],
  ['updates for many changes in several slices', 2000, 1],
  ['sorts again for more changes', 10_000, 2],
])('%s', async (_what, count, times) => {
  const { rankings, made, wantedOf } = createScene()
  await ask(rankings, wantedOf('a', many))
  const rows = changed(count)
  const found = await ask(rankings, wantedOf('a', rows))
  expect(found.turns > 0).toBe(count > 1000)
  expect(found.rows).toEqual(sorted(rows))
  expect(made.length).toBe(times)
})

test('shares running work and gives each request the ranking of its own rows', async () => {
  const { rankings, made, wantedOf } = createScene()
  const rows = changed(100)
  const asked = [many, rows, many].map((each) => ask(rankings, wantedOf('a', each)))
  const answers = await Promise.all(asked)
  expect(answers.map((answer) => answer.rows)).toEqual([sorted(many), sorted(rows), sorted(many)])
  expect(made).toEqual(['a'])
})

/** What is picked from a ranking that is made by the way. */
const pickedFrom = (
  rankings: LiveRankings,
  wanted: RankingRequest,
  name: string,
): RankingRequest => {
  const includes = ({ liquidityUsd }: PoolRow) => liquidityUsd === 5
  const build = function* (): SlicedWork<readonly PoolRow[]> {
    yield
    let found: readonly PoolRow[] = []
    yield rankings(wanted).then((list) => {
      found = list.flat()
    })
    return found.filter(includes)
  }
  return { ...wanted, name, includes, build }
}

test('lets a ranking wait for another one', async () => {
  const { rankings, made, wantedOf } = createScene()
  const picks = createLiveRankings(2)
  const wanted = wantedOf('a', many)
  const asked = ['x', 'y'].map((name) => ask(picks, pickedFrom(rankings, wanted, name)))
  const some = sorted(many).filter(({ liquidityUsd }) => liquidityUsd === 5)
  for (const { rows } of await Promise.all(asked)) expect(rows).toEqual(some)
  expect(made).toEqual(['a'])
})

test('rejects all waiting requests after an error and builds again for the next', async () => {
  const { rankings, wantedOf } = createScene()
  const wanted = wantedOf('a', many)
  const broken: RankingRequest = {
    ...wanted,
    build: function* () {
      yield
      throw new Error('a bug')
    },
  }
  const picks = createLiveRankings(2)
  const ends = await Promise.allSettled([
    ask(rankings, broken),
    ask(rankings, wanted),
    ask(picks, pickedFrom(rankings, broken, 'x')),
  ])
  expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  expect((await ask(rankings, wanted)).rows).toEqual(sorted(many))
})

test('sorts in slices like a plain sort', async () => {
  const steps = sortAll(many, order)
  expect(steps.next().done).toBe(false)
  expect(await runInSlices(steps)).toEqual(sorted(many))
})
