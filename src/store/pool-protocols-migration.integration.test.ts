import { afterAll, expect, onTestFinished, test } from 'vitest'
import { startPostgres } from '../../test/setup/postgres.ts'
import { addressOf, allOf, day, hashOf } from '../../test/store-contract/fixtures.ts'
import {
  type EarlierRows,
  openEarlierPostgres,
  openEarlierSqlite,
} from '../../test/support/store/earlier-store.ts'

const server = await startPostgres()
afterAll(server.dispose)

const earlierPools: EarlierRows = (bytes) =>
  [addressOf(1), hashOf(2)]
    .map((id, at) => {
      const version = id.length === 42 ? 'v3' : 'v4'
      return `INSERT INTO pools (number, id, version, venue, token0, token1, fee, tick_spacing,
        created_block, created_ts, liquidity, revision) VALUES (${at + 1}, ${bytes(id.slice(2))},
        '${version}', ${bytes('07'.repeat(20))}, ${bytes('01'.repeat(20))},
        ${bytes('02'.repeat(20))}, 3000, 60, 1, ${day}, ${bytes('05')}, 1);`
    })
    .join('\n')

test.each([
  ['SQLite', openEarlierSqlite],
  ['PostgreSQL', openEarlierPostgres(server.createDatabase)],
])('the pools of an earlier store of %s follow the protocol of their version', async (_, open) => {
  const store = await open('pool-protocols', earlierPools, onTestFinished)
  expect(await allOf(store.readPools())).toMatchObject([
    { number: 1, version: 'v3', protocol: 'uniswap-v3' },
    { number: 2, version: 'v4', protocol: 'uniswap-v4' },
  ])
})
