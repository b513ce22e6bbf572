import { afterAll, expect, onTestFinished, test } from 'vitest'
import { startPostgres } from '../../test/setup/postgres.ts'
import { allOf, chain, day, hashOf, stateOf } from '../../test/store-contract/fixtures.ts'
import {
  type EarlierRows,
  openEarlierPostgres,
  openEarlierSqlite,
} from '../../test/support/store/earlier-store.ts'

const server = await startPostgres()
afterAll(server.dispose)

/** A v4 pool with a price, of the columns that both stores had from the first version on. */
const poolRow: EarlierRows = (bytes) => `
  INSERT INTO pools (number, id, version, venue, token0, token1, fee, tick_spacing, hooks,
    created_block, created_ts, sqrt_price_x96, tick, liquidity, revision) VALUES (1,
    ${bytes(hashOf(1).slice(2))}, 'v4', ${bytes('07'.repeat(20))}, ${bytes('01'.repeat(20))},
    ${bytes('02'.repeat(20))}, 3000, 60, ${bytes('00'.repeat(20))}, 1, ${day}, ${bytes('01')}, 0,
    ${bytes('05')}, 1);`

test.each([
  ['SQLite', openEarlierSqlite],
  ['PostgreSQL', openEarlierPostgres(server.createDatabase)],
])('the fees of an earlier store of %s are unknown, and kept from then on', async (_, open) => {
  const store = await open('pool-fees', poolRow, onTestFinished)
  expect(await allOf(store.readPools())).toMatchObject([{ number: 1, liquidity: 5n, fees: null }])
  await store.claim(chain, day)
  const fees = { lpFee: 3000, protocolFee: 500 | (300 << 12), block: 9 }
  await store.replaceTickMap(1, stateOf(5n, { fees }), [])
  expect(await allOf(store.readPools())).toMatchObject([{ number: 1, liquidity: 5n, fees }])
})
