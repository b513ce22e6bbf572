import { afterAll, beforeAll, expect, test } from 'vitest'
import { startPostgres } from '../setup/postgres.ts'
import { createLives, type Lives } from './crash/lives.ts'
import { runKillSeed } from './kill-tier.ts'
import { playSeeds, timeLimitMs } from './seeds.ts'

/* An indexer is killed at any moment; what its transaction left is for PostgreSQL to undo. */

const server = await startPostgres()
afterAll(server.dispose)

let lives: Lives
beforeAll(() => {
  lives = createLives()
})
afterAll(() => lives.end())

const play = async (seed: number): Promise<readonly string[]> =>
  runKillSeed(lives, { seed, database: await server.createDatabase() })

test(
  'killed at any moment, the index resumes from its last commit on PostgreSQL',
  async () => {
    expect(await playSeeds('postgres-kill', play)).toEqual([])
  },
  timeLimitMs,
)
