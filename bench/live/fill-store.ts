import { DatabaseSync } from 'node:sqlite'
import type { BlockRef } from '../../src/domain/chain/block-ref.ts'
import type { SyntheticChain } from '../chain/generate.ts'
import { syntheticHash } from '../chain/hashes.ts'
import { originBlock } from '../chain/params.ts'
import { openStore } from '../indexing.ts'
import { fillMarket } from './fill-market.ts'

/** Size of the content that a store has before the chain's first block. */
export type FillSize = { readonly pools: number; readonly swaps: number }

/** Swaps lie within the last day and stay in it while the benchmark runs. */
const swapSecondsMax = 22 * 3600
const swapBlocksPerSecond = 10
const swapBlocks = swapSecondsMax * swapBlocksPerSecond
/** Value of every filled swap, so that a volume equals a swap count. */
export const swapUsd = 2

/** A block behind the last swap of all filled pools, before any window of recent minutes. */
const swappedAt = (now: number): BlockRef => ({
  block: swapBlocks,
  hash: syntheticHash('filled block', 1, swapBlocks),
  ts: now - 600,
})

/**
 * Writes swaps by SQL, because four million rows take minutes through the store. Rows are in order
 * of time and most belong to few pools; the indexes are built at the end.
 */
const writeSwaps = (path: string, { pools, swaps }: FillSize, now: number): void => {
  const db = new DatabaseSync(path)
  db.exec('PRAGMA synchronous = OFF; PRAGMA cache_size = -400000')
  const indexes = db
    .prepare("SELECT name, sql FROM sqlite_schema WHERE tbl_name = 'swaps' AND type = 'index'")
    .all()
    .filter(({ sql }) => sql !== null)
  for (const { name } of indexes) db.exec(`DROP INDEX ${name}`)
  db.prepare(`
    WITH RECURSIVE counted (n, chance) AS (
      SELECT 0, 1 UNION ALL
      SELECT n + 1, (chance * 48271) % 2147483647 FROM counted WHERE n + 1 < :swaps
    ), placed AS (
      SELECT n, n * ${swapBlocks} / :swaps AS block, chance / 2147483647.0 AS part FROM counted
    )
    INSERT INTO swaps (pool, block, log_index, ts, tx_hash, amount0, amount1, sqrt_price_x96,
      liquidity, tick, fee, sender, recipient, usd_micro, estimated)
    SELECT 1 + CAST(:pools * part * part * part AS INTEGER), block, n,
      :from + block / ${swapBlocksPerSecond}, randomblob(32),
      x'0de0b6b3a7640000', x'f21f494c589c0000', x'01000000000000000000000000',
      x'0de0b6b3a7640000', 0, 3000, zeroblob(20), NULL, ${swapUsd * 1_000_000}, 0
    FROM placed`).run({
    swaps: BigInt(swaps),
    pools: BigInt(pools),
    from: BigInt(now - swapSecondsMax - 600),
  })
  for (const { sql } of indexes) db.exec(String(sql))
  db.exec(`
    INSERT INTO candles (pool, width, ts, open, high, low, close, usd_micro, swaps, unpriced,
      estimated)
    SELECT pool, column1, ts - ts % column1, 1, 1, 1, 1, SUM(usd_micro), COUNT(*), 0, 0
    FROM swaps CROSS JOIN (VALUES (60), (3600), (86400)) GROUP BY 1, 2, 3`)
  db.close()
}

/** Counts the stored swaps of a pool. */
export const countSwaps = (path: string, pool: number): number => {
  const db = new DatabaseSync(path, { readOnly: true })
  const row = db.prepare('SELECT COUNT(*) AS swaps FROM swaps WHERE pool = ?').get(pool)
  db.close()
  return Number(row?.swaps)
}

/** Creates a store that is indexed up to the block before the chain's first one. */
export const fillStore = async (
  path: string,
  chain: SyntheticChain,
  size: FillSize,
  now: number,
): Promise<void> => {
  const store = openStore(path)
  await fillMarket(store, {
    pools: size.pools,
    now,
    originHash: chain.blockRefAt(originBlock).hash,
    lastSwap: swappedAt(now),
    anchor: chain.blockRefAt,
    reserveUsdOf: (number) => 1000 + (number % 100_000),
    ticksOf: () => [],
  })
  await store.close()
  if (size.swaps > 0) writeSwaps(path, size, now)
}
