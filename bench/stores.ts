import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { parseArgs } from 'node:util'
import type { Outcome } from '../src/domain/outcome.ts'
import { aggregateCandles } from '../src/domain/series/candles.ts'
import type { Store } from '../src/ports/store.ts'
import type { RangeBatch } from '../src/ports/store-batches.ts'
import { createPostgresStore } from '../src/store/postgres/postgres-store.ts'
import { createSqliteStore } from '../src/store/sqlite/sqlite-store.ts'
import { queryAt, startPostgres } from '../test/setup/postgres.ts'
import {
  batchOf,
  candleAt,
  chain,
  day,
  hashOf,
  identityOf,
  stateOf,
  swapAt,
} from '../test/store-contract/fixtures.ts'

/**
 * Writes the same batches to both stores and measures write speed, size and the time to read all
 * pools:
 * `node bin/run.mjs bench/stores.ts [--swaps 1000000] [--batch 2000] [--pools 46000]`.
 */
const { values } = parseArgs({
  options: {
    swaps: { type: 'string', default: '1000000' },
    batch: { type: 'string', default: '2000' },
    pools: { type: 'string', default: '46000' },
  },
})
const swapCount = Number(values.swaps)
const perBatch = Number(values.batch)
const poolCount = Number(values.pools)
/** Pools that trade, over one week. */
const activePools = 500
const secondsPerSwap = (7 * 86_400) / swapCount

const randomAmount = (bytes: number): bigint => BigInt(`0x${randomBytes(bytes).toString('hex')}`)

const swapNumber = (number: number) => {
  const block = Math.floor(number / 4)
  return swapAt(
    { pool: 1 + ((number * 7919) % activePools), block, logIndex: number % 4 },
    {
      ts: day + Math.floor(block * 4 * secondsPerSwap),
      txHash: `0x${randomBytes(32).toString('hex')}`,
      amount0: randomAmount(8),
      amount1: -randomAmount(9),
      sqrtPriceX96: randomAmount(13),
      liquidity: randomAmount(10),
      tick: (number % 887_272) - 400_000,
      sender: `0x${randomBytes(20).toString('hex')}`,
      recipient: `0x${randomBytes(20).toString('hex')}`,
      usdMicro: number * 1000,
    },
  )
}

const batchAt = (from: number): RangeBatch => {
  const swaps = Array.from({ length: perBatch }, (_, at) => swapNumber(from + at))
  const pools = [...new Set(swaps.map(({ pool }) => pool))]
  const ts = swaps.at(-1)?.ts ?? day
  const [before, to] = [from === 0 ? null : from / 4 - 1, (from + perBatch) / 4 - 1]
  return batchOf(
    { before, to },
    {
      to: { block: to, hash: hashOf(to), ts },
      blocks: [...new Map(swaps.map(({ block, ts }) => [block, ts]))].map(([block, ts]) => ({
        block,
        hash: hashOf(block),
        ts,
      })),
      pools: from === 0 ? Array.from({ length: poolCount }, (_, at) => identityOf(at + 1)) : [],
      states: pools.map((pool) => ({ pool, state: stateOf(randomAmount(10)) })),
      swaps,
      candles: pools.flatMap((pool) =>
        aggregateCandles([candleAt({ pool, width: 60, ts: ts - (ts % 60) }, { swaps: 1 })]),
      ),
    },
  )
}

const say = (what: string, value: string): void => {
  process.stdout.write(`${what.padEnd(44)}${value}\n`)
}

const opened = <T>(outcome: Outcome<T, string>): T => {
  if (!outcome.ok) throw new Error(outcome.fault)
  return outcome.value
}

const measure = async (name: string, store: Store): Promise<void> => {
  await store.claim(chain, day)
  let ms = 0
  for (let from = 0; from < swapCount; from += perBatch) {
    const batch = batchAt(from)
    const startMs = performance.now()
    if ((await store.commitRange(batch)) !== 'committed') throw new Error(`${name}: ${from}`)
    ms += performance.now() - startMs
  }
  say(`${name}: swaps a second`, `${Math.round((1000 * swapCount) / ms)}`)
  for (const _ of [1, 2, 3]) {
    const startMs = performance.now()
    const pools = await store.snapshot((snapshot) => snapshot.poolsChangedAfter(-1))
    say(`${name}: ${pools.length} pools read`, `${Math.round(performance.now() - startMs)} ms`)
  }
}

const perMillion = (bytes: number): string =>
  `${Math.round(bytes / swapCount)} MB per million swaps`

const measureSqlite = async (): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'stockpools-bench-'))
  const path = join(folder, 'store.db')
  const store = opened(createSqliteStore({ path }))
  await measure('SQLite', store)
  await store.close()
  const db = new DatabaseSync(path)
  db.exec('VACUUM')
  const [row] = db
    .prepare("SELECT SUM(pgsize) AS bytes FROM dbstat WHERE name LIKE '%swaps%'")
    .all()
  db.close()
  say('SQLite: swaps with their indexes', perMillion(Number(row?.bytes)))
  say('SQLite: all', perMillion(statSync(path).size))
  rmSync(folder, { recursive: true })
}

const bytesText = `SELECT
  SUM(pg_total_relation_size(oid)) FILTER (WHERE relname LIKE 'swaps%')::float8 AS swaps,
  SUM(pg_total_relation_size(oid))::float8 AS all
  FROM pg_class WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace`

const measurePostgres = async (layout: 'in-days' | 'in-one'): Promise<void> => {
  // Durable settings, as in production.
  const server = await startPostgres(['fsync=on', 'shared_buffers=256MB', 'max_wal_size=4GB'])
  const url = await server.createDatabase()
  const store = opened(await createPostgresStore({ url, leaseGeneration: null, layout }))
  const name = `PostgreSQL ${layout}`
  await measure(name, store)
  await store.close()
  await queryAt(url, 'VACUUM FULL')
  const [row] = await queryAt(url, bytesText)
  say(`${name}: swaps with their indexes`, perMillion(Number(row?.swaps)))
  say(`${name}: all`, perMillion(Number(row?.all)))
  await server.dispose()
}

await measureSqlite()
await measurePostgres('in-days')
await measurePostgres('in-one')
