import { DatabaseSync } from 'node:sqlite'
import type { StoredLiquidityChange, StoredTick } from '../../src/domain/pool/stored-rows.ts'
import type { Store } from '../../src/ports/store.ts'
import type { RangeBatch } from '../../src/ports/store-batches.ts'
import { createPostgresStore } from '../../src/store/postgres/postgres-store.ts'
import { queryAt } from '../../test/setup/postgres.ts'
import { candleAt, swapAt } from '../../test/store-contract/fixtures.ts'
import { manager, stockTokens, trustedTokens } from '../chain/contracts-and-tokens.ts'
import { syntheticHash } from '../chain/hashes.ts'
import { originBlock } from '../chain/params.ts'
import { openStore } from '../indexing.ts'
import { filledLiquidity, fillMarket } from '../live/fill-market.ts'
import {
  blocksPerSecond,
  busyPool,
  pastSwaps,
  pools,
  spanBlocks,
  spanSeconds,
} from './past-swaps.ts'

export type PastSize = { readonly swaps: number; readonly now: number }

/** Adds and removals in the busiest pool, in turn. */
const changes = 4000
const tickMax = 887_220
const secondsPerDay = 86_400

const fromTsOf = ({ now }: PastSize): number => now - spanSeconds

const refOf = (block: number, ts: number) => ({
  block,
  hash: syntheticHash('filled block', 1, block),
  ts,
})

const ticksOf = (pool: number): readonly StoredTick[] => [
  { pool, tick: -tickMax, net: filledLiquidity, gross: filledLiquidity },
  { pool, tick: tickMax, net: -filledLiquidity, gross: filledLiquidity },
]

/** Each position is added and taken out again, so that nothing of them is left. */
const changesOf = (size: PastSize): readonly StoredLiquidityChange[] =>
  Array.from({ length: changes }, (_, at) => {
    const block = Math.floor((spanBlocks * at) / changes)
    const tick = 60 * ((at >> 1) % 500)
    return {
      pool: busyPool(0),
      block,
      // Behind the swaps of the block.
      logIndex: 2000,
      ts: fromTsOf(size) + Math.floor(block / blocksPerSecond),
      txHash: syntheticHash('filled change', 1, at),
      txIndex: 60,
      tickLower: -60 - tick,
      tickUpper: 60 + tick,
      liquidityDelta: (at % 2 === 0 ? 1n : -1n) * 10n ** 15n,
      owner: null,
      sender: manager,
      salt: syntheticHash('filled salt', 1, 0),
    }
  })

/** A reference for every minute of the stocks and dollars that are asked for. */
const referencesOf = (size: PastSize): RangeBatch['references'] => {
  const tokens = [...stockTokens.filter((_, at) => at % 20 === 0), ...trustedTokens]
  const first = fromTsOf(size) - (fromTsOf(size) % 60)
  return tokens.flatMap(({ address, usd }) =>
    Array.from({ length: spanSeconds / 60 }, (_, at) => {
      const rank = { address, width: 60, source: 'chainlink' } as const
      return { ...rank, ts: first + at * 60, usd }
    }),
  )
}

/** Rows of every day through the store, which makes the partitions of PostgreSQL. */
const daysOf = (size: PastSize): readonly number[] => {
  const [first, last] = [fromTsOf(size), size.now].map((ts) => Math.floor(ts / secondsPerDay))
  if (first === undefined || last === undefined) return []
  return Array.from({ length: last - first + 1 }, (_, at) => (first + at) * secondsPerDay)
}

/** Everything but the swaps and their candles, of which only the first of every day. */
const fillRest = async (store: Store, size: PastSize): Promise<void> => {
  const { now } = size
  await fillMarket(store, {
    pools,
    now,
    originHash: syntheticHash('filled origin', 1, 1),
    lastSwap: refOf(spanBlocks, now),
    anchor: (block) => refOf(block, now),
    // Deep enough for the candles of its stock.
    reserveUsdOf: () => 10_000_000,
    ticksOf,
  })
  const days = daysOf(size)
  const to = refOf(originBlock, now)
  const outcome = await store.commitRange({
    expectedCursor: originBlock - 1,
    to,
    head: to,
    progress: { phase: 'done', done: 1, total: 1 },
    blocks: [],
    pools: [],
    states: [],
    ticks: [],
    swaps: days.map((ts, block) => swapAt({ pool: 1, block, logIndex: 1 }, { ts })),
    liquidity: changesOf(size),
    candles: days.map((ts) => candleAt({ pool: 1, width: 60, ts })),
    references: referencesOf(size),
  })
  if (outcome !== 'committed') throw new Error(outcome)
  await store.close()
}

const textsOf = (
  engine: 'sqlite' | 'postgres',
  { swaps, ...rest }: PastSize,
): readonly string[] => {
  const fromTs = fromTsOf({ swaps, ...rest })
  return ['DELETE FROM swaps', 'DELETE FROM candles', ...pastSwaps(engine, { swaps, fromTs })]
}

/** Fills a new SQLite file; indexes by pool and time are built at the end. */
export const fillSqlitePast = async (path: string, size: PastSize): Promise<void> => {
  await fillRest(openStore(path), size)
  const db = new DatabaseSync(path)
  db.exec('PRAGMA synchronous = OFF; PRAGMA cache_size = -400000')
  const indexes = db
    .prepare("SELECT name, sql FROM sqlite_schema WHERE tbl_name = 'swaps' AND type = 'index'")
    .all()
    .filter(({ sql }) => sql !== null)
  for (const { name } of indexes) db.exec(`DROP INDEX ${name}`)
  const [clearSwaps, clearCandles, swaps, ...candles] = textsOf('sqlite', size)
  for (const text of [clearSwaps, clearCandles, swaps]) db.exec(String(text))
  for (const { sql } of indexes) db.exec(String(sql))
  for (const text of candles) db.exec(text)
  db.close()
}

/** Fills a new database. */
export const fillPostgresPast = async (url: string, size: PastSize): Promise<void> => {
  const opened = await createPostgresStore({ url, leaseGeneration: null })
  if (!opened.ok) throw new Error(opened.fault)
  await fillRest(opened.value, size)
  for (const text of textsOf('postgres', size)) await queryAt(url, text)
  await queryAt(url, 'VACUUM ANALYZE')
}
