import fc from 'fast-check'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { startPostgres } from '../../test/setup/postgres.ts'
import { addressOf, day, identityOf } from '../../test/store-contract/fixtures.ts'
import { startServer } from '../../test/support/api/harness.ts'
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
import { known } from '../domain/reading.ts'
import { policyDefault } from '../domain/status/freshness.ts'
import { createMarket } from '../market/create-market.ts'

const server = await startPostgres()
afterAll(server.dispose)

const now = day + 45
const quote = { symbol: 'USDG', address: addressOf(201), decimals: 6, feed: null }
const logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
const { id } = identityOf(1)

const paths = [
  '/api/v1/pools?limit=50',
  `/api/v1/pools/${id}`,
  `/api/v1/pools/${id}?range=7d`,
  '/api/v1/stocks',
  '/api/v1/stocks/NVDA',
  '/api/v1/health',
]

/** What an API process says that serves this store at this moment. */
const answersOf = async (home: StoreLocation): Promise<readonly string[]> => {
  const store = unwrap(await home.openStore())
  const market = createMarket({
    store,
    clock: { now: () => now },
    logger,
    policy: policyDefault,
    trusted: [quote],
    reviewedHooks: new Map(),
    methodologyVersion: '1.1.0',
    network: { name: 'robinhood', chainId: 4663 },
    isScreenerEnabled: false,
  })
  await market.refresh()
  const serving = await startServer({ market, clock: { now: () => now } })
  const answers: string[] = []
  for (const path of paths) {
    const { status, text } = await serving.request(path)
    answers.push(`${path} ${status} ${text}`)
  }
  await store.close()
  return answers
}

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
  expect(answers.map((answer) => answer.split(' ')[1])).toEqual(paths.map(() => '200'))
  expect(answers[0]).toContain(id)
  expect(await answersOf(to)).toEqual(answers)
})
