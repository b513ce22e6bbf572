import { afterAll, expect, onTestFinished, test } from 'vitest'
import { startPostgres } from '../../test/setup/postgres.ts'
import { chain, day } from '../../test/store-contract/fixtures.ts'
import {
  type EarlierRows,
  openEarlierPostgres,
  openEarlierSqlite,
} from '../../test/support/store/earlier-store.ts'

const server = await startPostgres()
afterAll(server.dispose)

const earlierHeader =
  (writeId: string): EarlierRows =>
  (bytes) =>
    `
  INSERT INTO header (id, revision, epoch, chain_id, network, origin_hash, verified, repairs,
    backfill_phase, backfill_done, backfill_total, replacement_epoch, replacement_block,
    replacement_ts${writeId === '' ? '' : ', write_id'})
  VALUES (1, 7, 3, ${chain.chainId}, '${chain.network}', ${bytes(chain.originHash?.slice(2) ?? '')},
    0, 0, 'done', 1, 1, 2, 10, ${day}${writeId});`

test.each([
  ['SQLite', openEarlierSqlite, ''],
  ['PostgreSQL', openEarlierPostgres(server.createDatabase), ", 'x'"],
])('an earlier store of %s keeps the one replacement that it knew', async (_, open, writeId) => {
  const store = await open('replacements', earlierHeader(writeId), onTestFinished)
  await store.snapshot(async (snapshot) => {
    expect(await snapshot.replacementsAfter(0)).toEqual([
      { epoch: 2, ancestor: { block: 10, ts: day } },
    ])
  })
})
