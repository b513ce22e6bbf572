import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLives, type Lives } from './crash/lives.ts'
import { runKillSeed } from './kill-tier.ts'
import { playSeeds, timeLimitMs } from './seeds.ts'

let lives: Lives
beforeAll(() => {
  lives = createLives()
})
afterAll(() => lives.end())

test(
  'killed at any moment, the index resumes from its last commit and loses nothing',
  async () => {
    expect(await playSeeds('kill', (seed) => runKillSeed(lives, { seed }))).toEqual([])
  },
  timeLimitMs,
)
