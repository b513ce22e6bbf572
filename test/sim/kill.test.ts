import { afterAll, beforeAll, expect, test } from 'vitest'
import { createKillWorld, untilStopped } from './crash/kill-world.ts'
import { createLives, type Lives } from './crash/lives.ts'

/*
 * The real indexer, on a real file, over real HTTP, is killed with SIGKILL repeatedly:
 *
 *   chain   ── past of days ── growth ── fork ── finality ── growth ──
 *   index   ┤ ✗ ├┤ ✗ ├┤ ✗ ├──  ...  ──┤ ✗ ├┤ ✗ ├────────┤ stop
 *
 * Each process ends at the first point where no earlier one ended. After each the file must be
 * consistent with the chain; in the end it must equal the file of an index that was never killed.
 */

const seed = 1
let lives: Lives
beforeAll(() => {
  lives = createLives()
})
afterAll(() => lives.end())

/** Every write of the store that is a transaction, and opening the store. */
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
/** T1 kills between any two statements, too, and before the result is used. */
const isDeep = process.env.TEST_TIER === 'T1'

const outcomeUndisturbed = async () => {
  const world = await createKillWorld(lives, { seed, trouble: false })
  expect(await world.live(untilStopped)).toMatchObject({ ended: 'stopped', faults: [] })
  const outcome = await world.outcome()
  world.remove()
  return outcome
}

test('reaches the same end after a kill at every point of every kind of transaction', {
  timeout: isDeep ? 3_600_000 : 600_000,
}, async () => {
  const world = await createKillWorld(lives, { seed, trouble: true })
  const points: string[] = []
  for (;;) {
    const { killedAt, faults } = await world.live({
      ...untilStopped,
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
