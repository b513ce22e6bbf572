import { afterAll, beforeAll, expect, test } from 'vitest'
import { byNobody, createKillWorld } from './crash/kill-world.ts'
import { createLives, type Lives } from './crash/lives.ts'
import { playSeeds, timeLimitMs } from './seeds.ts'

/** Longer than a life lasts that has much to do. */
const lifeMsMax = 400
const killsMax = 4

let lives: Lives
beforeAll(() => {
  lives = createLives()
})
afterAll(() => lives.end())

/** Lives of which nobody knows when they end, then one that goes on in peace. */
const runKillSeed = async (seed: number): Promise<readonly string[]> => {
  const world = await createKillWorld(lives, { seed, trouble: false })
  const found: string[] = []
  for (let kills = world.random.between(1, killsMax); kills > 0; kills--) {
    const killAfterMs = world.random.between(0, lifeMsMax)
    const { ended, faults } = await world.live({ ...byNobody, killAfterMs })
    found.push(...faults.map((fault) => `killed after ${killAfterMs} ms: ${fault}`))
    if (ended === 'stopped' || found.length > 0) break
  }
  const last = await world.live(byNobody)
  world.remove()
  return [...found, ...last.faults, ...(last.ended === 'stopped' ? [] : ['it did not go on'])]
}

test(
  'killed at any moment, the index goes on from its last commit and loses nothing',
  async () => {
    expect(await playSeeds('kill', runKillSeed)).toEqual([])
  },
  timeLimitMs,
)
