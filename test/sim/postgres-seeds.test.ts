import { afterAll, expect, test } from 'vitest'
import { createPostgresStore } from '../../src/store/postgres/postgres-store.ts'
import { startPostgres } from '../setup/postgres.ts'
import { unlimited } from '../support/store/patience.ts'
import { runReorgSeed } from './reorg-tier.ts'
import { playSeeds, timeLimitMs } from './seeds.ts'

/* The schedules of the reorganisation tier, on a real PostgreSQL. */

const server = await startPostgres()
afterAll(server.dispose)

const openStore = async () => {
  const url = await server.createDatabase()
  const opened = await createPostgresStore({ url, leaseGeneration: null, limits: unlimited })
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
