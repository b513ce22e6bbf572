import { afterAll, expect, test } from 'vitest'
import { createPostgresStore } from '../../src/store/postgres/postgres-store.ts'
import { startPostgres } from '../setup/postgres.ts'
import { runReorgSeed } from './reorg-tier.ts'
import { playSeeds, timeLimitMs } from './seeds.ts'

/* The schedules of the reorganisation tier, on a real PostgreSQL. */

const server = await startPostgres()
afterAll(server.dispose, 60_000)

const openStore = async () => {
  const opened = await createPostgresStore({ url: await server.createDatabase(), fence: null })
  if (!opened.ok) throw new Error(opened.fault)
  return opened.value
}

test(
  'no schedule of reorganisations loses or invents an event on PostgreSQL',
  async () => {
    expect(await playSeeds('postgres', (seed) => runReorgSeed(seed, openStore))).toEqual([])
  },
  timeLimitMs,
)
