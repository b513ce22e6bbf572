import { afterAll, expect, onTestFinished, test } from 'vitest'
import { startPostgres } from '../../test/setup/postgres.ts'
import { addressOf, chain, day, hashOf } from '../../test/store-contract/fixtures.ts'
import {
  type EarlierRows,
  openEarlierPostgres,
  openEarlierSqlite,
} from '../../test/support/store/earlier-store.ts'

const server = await startPostgres()
afterAll(server.dispose)

const [hour, oldestTs, indexedTs] = [3_600, day + 2 * 3_600 + 5, day + 9 * 3_600]

type Bytes = Parameters<EarlierRows>[0]

/** `own`: a column that one engine alone has. */
const headerText = (bytes: Bytes, own: string | null) => `
  INSERT INTO header (id, revision, epoch, chain_id, network, origin_hash, indexed_block,
    indexed_hash, indexed_ts, verified, repairs, backfill_phase, backfill_done, backfill_total
    ${own === null ? '' : `, ${own}`})
  VALUES (1, 7, 0, ${chain.chainId}, '${chain.network}', ${bytes(hashOf(1).slice(2))}, 90,
    ${bytes(hashOf(90).slice(2))}, ${indexedTs}, 0, 0, 'done', 1, 1
    ${own === null ? '' : `, 'own'`});`

const swapText = (bytes: Bytes) => `
  INSERT INTO swaps (pool, block, log_index, ts, tx_hash, amount0, amount1, sqrt_price_x96,
    liquidity, tick, sender, usd_micro, estimated) VALUES (1, 1, 0, ${oldestTs},
    ${bytes(hashOf(1).slice(2))}, ${bytes('05')}, ${bytes('f9')}, ${bytes(`01${'00'.repeat(12)}`)},
    ${bytes('03e8')}, -1, ${bytes(addressOf(11).slice(2))}, 1500000, 0);`

const hourText = (ts: number) => `
  INSERT INTO candles (pool, width, ts, open, high, low, close, usd_micro, swaps, unpriced,
    estimated) VALUES (1, 3600, ${ts}, 1, 1, 1, 1, 1, 1, 0, 0);`

test.each([
  ['SQLite', openEarlierSqlite, null],
  ['PostgreSQL', openEarlierPostgres(server.createDatabase), 'write_id'],
])('an earlier store of %s knows since when its swaps are kept', async (_, open, own) => {
  const keptSince = async (texts: (bytes: Bytes) => string) => {
    const rows: EarlierRows = (bytes) => headerText(bytes, own) + texts(bytes)
    const store = await open('swaps-kept-since', rows, onTestFinished)
    return (await store.snapshot((snapshot) => snapshot.header()))?.swapsKeptSince
  }
  expect(await keptSince((bytes) => swapText(bytes) + hourText(day + hour))).toBe(oldestTs)
  expect(await keptSince((bytes) => swapText(bytes) + hourText(day + 2 * hour))).toBeNull()
  expect(await keptSince(() => hourText(day + hour))).toBe(indexedTs)
})
