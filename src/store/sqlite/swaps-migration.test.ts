import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  batchOf,
  chain,
  day,
  ever,
  identityOf,
  swapAt,
} from '../../../test/store-contract/fixtures.ts'
import type { StoredSwap } from '../../domain/pool/stored-rows.ts'
import { insertInto } from '../shared/table.ts'
import { swaps } from '../shared/tables.ts'
import { migrateSchema, readSqliteMigrations } from './schema.ts'
import { createSqliteStore } from './sqlite-store.ts'

let path = ''
beforeEach(() => {
  path = join(mkdtempSync(join(tmpdir(), 'stockpools-')), 'store.db')
})
afterEach(() => rmSync(join(path, '..'), { recursive: true, force: true }))

const finalizedTs = day + 300
const finalizedHeader = `INSERT INTO header (id, revision, epoch, chain_id, network, indexed_block,
    indexed_hash, indexed_ts, settled_block, settled_hash, settled_ts, verified, repairs,
    backfill_phase, backfill_done, backfill_total)
  VALUES (1, 0, 0, ?, ?, 300, x'01', ${finalizedTs}, 300, x'01', ${finalizedTs}, 0, 0, 'done', 1,
    1)`
const earlierBlocks = `INSERT INTO blocks (block, hash, ts) VALUES
  (1, x'01', ${finalizedTs - 86_401}), (2, x'02', ${finalizedTs - 86_400}),
  (300, x'01', ${finalizedTs})`

/** Without the columns of later migrations, which come last. */
const earlierSwaps = {
  ...swaps,
  columns: swaps.columns.slice(0, swaps.columns.indexOf('tx_index')),
  toRow: (swap: StoredSwap) => swaps.toRow(swap).slice(0, swaps.columns.indexOf('tx_index')),
}

/** As the versions before the step wrote it: rows in the order of their arrival. */
const createEarlierStore = (step: string, rows: readonly StoredSwap[]): void => {
  const steps = readSqliteMigrations()
  const at = steps.findIndex(({ name }) => name.includes(step))
  const db = new DatabaseSync(path)
  expect(migrateSchema(db, steps.slice(0, at)).ok).toBe(true)
  const insert = db.prepare(insertInto(earlierSwaps))
  for (const row of rows) insert.run(...(earlierSwaps.toRow(row) as (number | Buffer | null)[]))
  db.prepare(finalizedHeader).run(chain.chainId, chain.network)
  db.exec(earlierBlocks)
  db.close()
}

/** Newest first, as a backfill reads the past, with pools that share a log's place. */
const earlier = Array.from({ length: 300 }, (_, at) =>
  swapAt(
    { pool: 1 + (at % 3), block: 300 - Math.floor(at / 3), logIndex: at % 2 },
    {
      amount0: BigInt(at) << 70n,
      fee: at % 5 === 0 ? 500 : null,
      recipient: at % 2 === 0 ? null : swapAt({ pool: 1, block: 1 }).recipient,
      usdMicro: at % 7 === 0 ? null : at,
      estimated: at % 4 === 0,
      implausible: at % 6 === 0,
      txIndex: null,
    },
  ),
)

const newestFirst = (pool: number, rows: readonly StoredSwap[]) =>
  rows
    .filter((swap) => swap.pool === pool)
    .toSorted((a, b) => b.block - a.block || b.logIndex - a.logIndex)

test('a store of the version before keeps its swaps, and those that follow join them', async () => {
  createEarlierStore('swaps-by-block', earlier)
  const opened = createSqliteStore({ path })
  if (!opened.ok) throw new Error(opened.fault)
  const store = opened.value
  await store.claim(chain, day)
  const later = [swapAt({ pool: 2, block: 310 }), swapAt({ pool: 3, block: 310, logIndex: 1 })]
  const pools = [1, 2, 3].map(identityOf)
  const { blocks } = await store.readEvents({ from: 0, to: 320 })
  expect(blocks.map(({ block }) => block)).toEqual([2, 300])
  await store.commitRange(batchOf({ before: 300, to: 320 }, { pools, swaps: later }))
  const all = [...earlier, ...later]
  const late = { afterTs: day + 250, toTs: day + 310, afterBlock: -1 }
  const read = await store.snapshot(async (snapshot) => ({
    ofPools: await Promise.all(
      [1, 2, 3].map((pool) => snapshot.swaps({ pool, fromTs: 0, rowsMax: 1_000 })),
    ),
    lateOfPool: await snapshot.swaps({ pool: 2, fromTs: day + 250, rowsMax: 1_000 }),
    counts: (await snapshot.volume(ever)).map((sum) => sum.swaps),
    lateCounts: (await snapshot.volume(late)).map((sum) => sum.swaps),
  }))
  await store.close()
  expect(read).toEqual({
    ofPools: [1, 2, 3].map((pool) => newestFirst(pool, all)),
    lateOfPool: newestFirst(2, all).filter(({ ts }) => ts >= day + 250),
    counts: [100, 101, 101],
    lateCounts: [50, 51, 51],
  })
})
