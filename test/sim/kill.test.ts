import { afterAll, beforeAll, expect, test } from 'vitest'
import { byNobody, createKillWorld } from './crash/kill-world.ts'
import { createLives, type Lives } from './crash/lives.ts'

/*
 * The real indexer, on a real file, over real HTTP, is killed with SIGKILL again and again:
 *
 *   chain   ── past of days ── growth ── fork ── finality ── growth ──
 *   index   ┤ ✗ ├┤ ✗ ├┤ ✗ ├──  ...  ──┤ ✗ ├┤ ✗ ├────────┤ stop
 *
 * Each life ends at the first point where none has ended before. After each the file must be sound
 * and hold nothing but whole truth; in the end it must be what an index makes of it that was never
 * killed.
 */

const seed = 1
let lives: Lives
beforeAll(() => {
  lives = createLives()
})
afterAll(() => lives.end())

/** Every write of the store that is a transaction, and the making of the store itself. */
const works = [
  'open',
  'claim',
  'seedPools',
  'commitRange',
  'resetIndex',
  'commitBackfill',
  'prune',
  'recordProgress',
  'recordEnrichment',
  'recordHead',
  'commitBootstrap',
  'recordSource',
  'recordStocks',
  'recordTokens',
  'replaceBranch',
  'replaceTickMap',
  'advanceFinalized',
]
const places = ['before BEGIN', 'statement 2', 'before COMMIT', 'after COMMIT']
/** T1: between any two statements, too, and before the answer is used. */
const isDeep = process.env.TEST_TIER === 'T1'

const outcomeUndisturbed = async () => {
  const world = await createKillWorld(lives, { seed, trouble: false })
  expect(await world.live(byNobody)).toMatchObject({ ended: 'stopped', faults: [] })
  const outcome = await world.outcome()
  world.remove()
  return outcome
}

test('killed at every point of every kind of transaction, a store goes on to the same end', {
  timeout: isDeep ? 3_600_000 : 600_000,
}, async () => {
  const world = await createKillWorld(lives, { seed, trouble: true })
  const points: string[] = []
  for (;;) {
    const { killedAt, faults } = await world.live({
      ...byNobody,
      spared: points,
      places: isDeep ? null : places,
    })
    expect([killedAt, ...faults]).toEqual([killedAt])
    if (killedAt === null) break
    points.push(killedAt)
  }
  const wanted = works.flatMap((work) => places.map((place) => `${work}: ${place}`))
  expect(wanted.filter((point) => !points.includes(point))).toEqual([])
  expect(await world.outcome()).toEqual(await outcomeUndisturbed())
  world.remove()
})
