import { afterAll, expect, test } from 'vitest'
import type { Store } from '../../src/ports/store.ts'
import { createPostgresStore } from '../../src/store/postgres/postgres-store.ts'
import { createSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import { startPostgres } from '../setup/postgres.ts'
import { chain, day } from '../store-contract/fixtures.ts'
import { unlimited } from '../support/store/patience.ts'
import { drawRead } from './parity/drawn-reads.ts'
import { createDrawnWrites } from './parity/drawn-writes.ts'
import { createRandom, type Random } from './random.ts'

/*
 * Whatever an index writes, all stores answer every question alike, in the same order:
 *
 *   drawn writes ──► SQLite, in memory
 *                ──► PostgreSQL, in partitions     ──► drawn questions ──► equal answers
 *                ──► PostgreSQL, without them
 */

const isDeep = process.env.TEST_TIER === 'T1'
/** With one drawn index per seed. */
const base = Number(process.env.TEST_SEED ?? 20_261_121)
const seeds = Array.from({ length: isDeep ? 25 : 3 }, (_, at) => base + at)
const [writes, readsPerWrite] = isDeep ? [100, 5] : [45, 4]

const server = await startPostgres()
afterAll(server.dispose)

const openStores = async (): Promise<readonly Store[]> => {
  const layouts = ['in-days', 'in-one'] as const
  const postgres = layouts.map(async (layout) => {
    const url = await server.createDatabase()
    return createPostgresStore({ url, leaseGeneration: null, layout, limits: unlimited })
  })
  return [createSqliteStore({ path: ':memory:' }), ...(await Promise.all(postgres))].map((made) => {
    if (!made.ok) throw new Error(made.fault)
    return made.value
  })
}

const revisionOf = async (store: Store): Promise<number> =>
  (await store.snapshot((snapshot) => snapshot.header()))?.revision ?? 0

const expectAlike = (label: string, answers: readonly unknown[]): void => {
  const [expected, ...others] = answers
  for (const other of others) expect(other, label).toEqual(expected)
}

const ask = async (stores: readonly Store[], random: Random, moments: readonly number[][]) => {
  const moment = random.pick(moments)
  const read = drawRead(random, 1_500)
  const answers = stores.map((store, at) => read.of(store, moment[at] ?? -1))
  expectAlike(read.name, await Promise.all(answers))
}

test.each(seeds)('index %i', { timeout: 600_000 }, async (seed) => {
  const random = createRandom(seed)
  const stores = await openStores()
  const drawWrite = createDrawnWrites(random)
  const moments = [stores.map(() => -1)]
  for (const store of stores) await store.claim(chain, day)
  for (let step = 0; step < writes; step++) {
    const write = drawWrite()
    const answers = await Promise.all(stores.map((store) => write.to(store)))
    expectAlike(`${write.name}, write ${step}`, answers)
    moments.push(await Promise.all(stores.map(revisionOf)))
    for (let read = 0; read < readsPerWrite; read++) await ask(stores, random, moments)
  }
  for (const store of stores) await store.close()
})
