import fc from 'fast-check'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { startPostgres } from '../../test/setup/postgres.ts'
import { chain, contentsOf, day } from '../../test/store-contract/fixtures.ts'
import { contents, type DrawnContents, fill } from '../../test/support/backup/draw-contents.ts'
import {
  backupToText,
  postgresLocation,
  restoreText,
  type StoreLocation,
  sqliteLocation,
  temporaryFolder,
  unwrap,
} from '../../test/support/backup/homes.ts'
import { systemTimer } from '../net/timer.ts'
import { createLease } from '../store/postgres/lease.ts'
import { migratePostgres } from '../store/postgres/postgres-store.ts'

const server = await startPostgres()
afterAll(server.dispose)

const answersOf = async (home: StoreLocation) => {
  const store = unwrap(await home.openStore())
  const answers = await contentsOf(store)
  await store.close()
  return answers
}

const drawn = fc.sample(contents, { numRuns: 4, seed: 77 })

const filled = async (home: StoreLocation, which: number): Promise<void> => {
  const store = unwrap(await home.openStore())
  await fill(store, drawn[which] as DrawnContents)
  await store.close()
}

/*
 *   SQLite ── file ── PostgreSQL ── file ── SQLite
 *
 * All three files are equal, and so are all answers.
 */
test('copies a store to PostgreSQL and back', async () => {
  const folder = temporaryFolder(onTestFinished)
  await fc.assert(
    fc.asyncProperty(contents, async (held) => {
      const from = sqliteLocation(folder)
      const store = unwrap(await from.openStore())
      await fill(store, held)
      await store.close()
      const file = await backupToText(from)
      const through = postgresLocation(await server.createDatabase())
      expect(await restoreText(through, [file])).toMatchObject({ ok: true })
      expect(await backupToText(through)).toBe(file)
      expect(await answersOf(through)).toEqual(await answersOf(from))
      const to = sqliteLocation(folder)
      expect(await restoreText(to, [await backupToText(through)])).toMatchObject({ ok: true })
      expect(await backupToText(to)).toBe(file)
    }),
    { numRuns: 6 },
  )
})

test('backs up the same file from PostgreSQL and SQLite stores that an indexer wrote', async () => {
  const folder = temporaryFolder(onTestFinished)
  for (const which of drawn.keys()) {
    const [one, other] = [sqliteLocation(folder), postgresLocation(await server.createDatabase())]
    for (const home of [one, other]) await filled(home, which)
    expect(await backupToText(other)).toBe(await backupToText(one))
  }
})

test('a partial restore cannot be read, and the next restore starts again', async () => {
  const from = sqliteLocation(temporaryFolder(onTestFinished))
  await filled(from, 1)
  const file = await backupToText(from)
  const home = postgresLocation(await server.createDatabase())
  const sink = unwrap(await home.openSink())
  unwrap(await sink.begin())
  unwrap(await sink.write('searched', [[`0x${'11'.repeat(20)}`, 'stock', 0, 0, 0]]))
  await sink.close()
  for (const refused of [await home.openStore(), await home.openSource()]) {
    expect(refused.ok ? '' : refused.fault).toMatch(
      /^store postgres:\/\/.* contains an incomplete restore: run/,
    )
  }
  expect(await restoreText(home, [file])).toMatchObject({ ok: true })
  expect(await backupToText(home)).toBe(file)
})

test('does not change a store that contains data', async () => {
  const from = sqliteLocation(temporaryFolder(onTestFinished))
  await filled(from, 1)
  const home = postgresLocation(await server.createDatabase())
  const store = unwrap(await home.openStore())
  await store.claim(chain, day)
  const outcome = await restoreText(home, [await backupToText(from)])
  expect(outcome.ok ? '' : outcome.fault).toMatch(
    / is not empty: a restore needs a store of its own$/,
  )
  await store.close()
})

test('a restore and an active indexer exclude each other', async () => {
  const home = postgresLocation(await server.createDatabase())
  unwrap(await migratePostgres({ url: home.url }))
  const parts = { url: home.url, holder: 'indexer 7', timer: systemTimer }
  const lease = createLease(parts)
  const held = await lease.acquire(AbortSignal.timeout(30_000), () => {})
  const refused = await home.openSink()
  expect(refused.ok ? '' : refused.fault).toMatch(/ is being written by indexer 7: stop it first$/)
  await held?.release()
  const sink = unwrap(await home.openSink())
  expect(await lease.acquire(AbortSignal.timeout(1_000), () => {})).toBeNull()
  await sink.close()
  lease.close()
})

test('a bad file leaves the store empty, and an unreachable server is reported', async () => {
  const from = sqliteLocation(temporaryFolder(onTestFinished))
  await filled(from, 2)
  const file = await backupToText(from)
  const home = postgresLocation(await server.createDatabase())
  const outcome = await restoreText(home, [file.slice(0, -20)])
  expect(outcome.ok ? '' : outcome.fault).toMatch(/ends too early.*; nothing was restored$/)
  expect(await restoreText(home, [file])).toMatchObject({ ok: true })
  const unreachable = postgresLocation('postgres://user:c4n4ry@127.0.0.1:9/none')
  for (const refused of [await unreachable.openSource(), await unreachable.openSink()]) {
    const fault = refused.ok ? '' : refused.fault
    expect(fault).toMatch(/^store postgres:\/\/127\.0\.0\.1:9\/none cannot be reached/)
    expect(fault).not.toMatch(/c4n4ry|\n/)
  }
})
