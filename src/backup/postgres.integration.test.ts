import fc from 'fast-check'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { startPostgres } from '../../test/setup/postgres.ts'
import { chain, contentsOf, day } from '../../test/store-contract/fixtures.ts'
import { contents, type DrawnContents, fill } from '../../test/support/backup/draw-contents.ts'
import {
  exported,
  got,
  type Home,
  imported,
  postgresHome,
  sqliteHome,
  temporaryFolder,
} from '../../test/support/backup/homes.ts'
import { systemTimer } from '../net/timer.ts'
import { createLease } from '../store/postgres/lease.ts'
import { migratePostgres } from '../store/postgres/postgres-store.ts'

const server = await startPostgres()
afterAll(server.dispose)

const answersOf = async (home: Home) => {
  const store = got(await home.openStore())
  const answers = await contentsOf(store)
  await store.close()
  return answers
}

const drawn = fc.sample(contents, { numRuns: 4, seed: 77 })

const filled = async (home: Home, which: number): Promise<void> => {
  const store = got(await home.openStore())
  await fill(store, drawn[which] as DrawnContents)
  await store.close()
}

/*
 *   SQLite ── file ── PostgreSQL ── file ── SQLite
 *
 * Three times the same file, and the same answers.
 */
test('through PostgreSQL and back', async () => {
  const folder = temporaryFolder(onTestFinished)
  await fc.assert(
    fc.asyncProperty(contents, async (held) => {
      const from = sqliteHome(folder)
      const store = got(await from.openStore())
      await fill(store, held)
      await store.close()
      const file = await exported(from)
      const through = postgresHome(await server.createDatabase())
      expect(await imported(through, [file])).toMatchObject({ ok: true })
      expect(await exported(through)).toBe(file)
      expect(await answersOf(through)).toEqual(await answersOf(from))
      const to = sqliteHome(folder)
      expect(await imported(to, [await exported(through)])).toMatchObject({ ok: true })
      expect(await exported(to)).toBe(file)
    }),
    { numRuns: 6 },
  )
})

test('what an indexer gave PostgreSQL comes to the same file', async () => {
  const folder = temporaryFolder(onTestFinished)
  for (const which of drawn.keys()) {
    const [one, other] = [sqliteHome(folder), postgresHome(await server.createDatabase())]
    for (const home of [one, other]) await filled(home, which)
    expect(await exported(other)).toBe(await exported(one))
  }
})

test('half an import serves nobody, and the next begins anew', async () => {
  const from = sqliteHome(temporaryFolder(onTestFinished))
  await filled(from, 1)
  const file = await exported(from)
  const home = postgresHome(await server.createDatabase())
  const sink = got(await home.openSink())
  got(await sink.begin())
  got(await sink.write('searched', [[`0x${'11'.repeat(20)}`]]))
  await sink.close()
  for (const refused of [await home.openStore(), await home.openSource()]) {
    expect(refused.ok ? '' : refused.fault).toMatch(/^store postgres:\/\/.* is half imported: run/)
  }
  expect(await imported(home, [file])).toMatchObject({ ok: true })
  expect(await exported(home)).toBe(file)
})

test('a store that holds anything is not touched', async () => {
  const from = sqliteHome(temporaryFolder(onTestFinished))
  await filled(from, 1)
  const home = postgresHome(await server.createDatabase())
  const store = got(await home.openStore())
  await store.claim(chain, day)
  const outcome = await imported(home, [await exported(from)])
  expect(outcome.ok ? '' : outcome.fault).toMatch(
    / is not empty: an import needs a store of its own$/,
  )
  await store.close()
})

test('no import beside an active indexer, no indexer beside an import', async () => {
  const home = postgresHome(await server.createDatabase())
  got(await migratePostgres({ url: home.url }))
  const parts = { url: home.url, holder: 'indexer 7', timer: systemTimer }
  const lease = createLease(parts)
  const held = await lease.take(AbortSignal.timeout(30_000), () => {})
  const refused = await home.openSink()
  expect(refused.ok ? '' : refused.fault).toMatch(/ is being written by indexer 7: stop it first$/)
  await held?.release()
  const sink = got(await home.openSink())
  expect(await lease.take(AbortSignal.timeout(1_000), () => {})).toBeNull()
  await sink.close()
  lease.close()
})

test('a bad file leaves it empty; a server that is away is told', async () => {
  const from = sqliteHome(temporaryFolder(onTestFinished))
  await filled(from, 2)
  const file = await exported(from)
  const home = postgresHome(await server.createDatabase())
  const outcome = await imported(home, [file.slice(0, -20)])
  expect(outcome.ok ? '' : outcome.fault).toMatch(/ends too early.*; nothing was imported$/)
  expect(await imported(home, [file])).toMatchObject({ ok: true })
  const nobody = postgresHome('postgres://user:c4n4ry@127.0.0.1:9/none')
  for (const refused of [await nobody.openSource(), await nobody.openSink()]) {
    const fault = refused.ok ? '' : refused.fault
    expect(fault).toMatch(/^store postgres:\/\/127\.0\.0\.1:9\/none can not be reached/)
    expect(fault).not.toMatch(/c4n4ry|\n/)
  }
})
