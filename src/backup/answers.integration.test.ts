import fc from 'fast-check'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { startPostgres } from '../../test/setup/postgres.ts'
import { answeredPaths, answeredPool, answersOf } from '../../test/support/backup/answers.ts'
import { contents, type DrawnContents, fill } from '../../test/support/backup/draw-contents.ts'
import {
  backupToText,
  postgresLocation,
  restoreText,
  sqliteLocation,
  temporaryFolder,
  unwrap,
} from '../../test/support/backup/homes.ts'
import { known } from '../domain/reading.ts'

const server = await startPostgres()
afterAll(server.dispose)

/*
 *   store ── API ── answers
 *     └ backup ── restore ── another store ── API ── the same bytes
 */
test('an API over either store says the same, byte for byte', async () => {
  const from = sqliteLocation(temporaryFolder(onTestFinished))
  const [drawn] = fc.sample(contents, { numRuns: 1, seed: 3 })
  const store = unwrap(await from.openStore())
  const tokens = [101, 201].map((number) => ({
    at: number,
    symbol: known(number === 101 ? 'NVDA' : 'USDG'),
    name: known('a name'),
    decimals: known(number === 101 ? 18 : 6),
  }))
  await fill(store, { ...(drawn as DrawnContents), tokens })
  await store.close()
  const to = postgresLocation(await server.createDatabase())
  expect(await restoreText(to, [await backupToText(from)])).toMatchObject({ ok: true })
  const answers = await answersOf(from)
  expect(answers.map((answer) => answer.split(' ')[1])).toEqual(answeredPaths.map(() => '200'))
  expect(answers[0]).toContain(answeredPool)
  expect(await answersOf(to)).toEqual(answers)
})
