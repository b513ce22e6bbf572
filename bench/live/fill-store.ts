import { DatabaseSync } from 'node:sqlite'
import type { BlockRef } from '../../src/domain/chain/block-ref.ts'
import { sqrtPriceAtTick } from '../../src/domain/math/tick-math.ts'
import type { PoolIdentity, PoolState } from '../../src/domain/pool/pool-state.ts'
import { noTrail } from '../../src/domain/price/quote.ts'
import { known } from '../../src/domain/reading.ts'
import type { PoolSearch } from '../../src/domain/status/pool-search.ts'
import { type Address, nativeAddress } from '../../src/domain/units.ts'
import type { Store } from '../../src/ports/store.ts'
import type { StoredToken } from '../../src/ports/store-batches.ts'
import { stockOf } from '../../test/support/domain/sample-inputs.ts'
import {
  factory,
  manager,
  memeToken,
  type SyntheticToken,
  stockTokens,
  syntheticNetwork,
  tokensWithFeed,
  trustedTokens,
} from '../chain/contracts-and-tokens.ts'
import type { SyntheticChain } from '../chain/generate.ts'
import { syntheticHash } from '../chain/hashes.ts'
import { chainId, originBlock } from '../chain/params.ts'
import { openStore } from '../indexing.ts'

/** Size of the content that a store has before the chain's first block. */
export type FillSize = { readonly pools: number; readonly swaps: number }

const batchPools = 10_000
/** First meme number of filled pools; the chain's own memes have lower numbers. */
const memeFirst = 10_000_000
const secondsPerDay = 86_400
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

/** As on the real chain, nearly all pools pair a stock with an inactive token. */
const otherToken = (number: number): SyntheticToken =>
  number % 20 === 0 ? (trustedTokens[0] as SyntheticToken) : memeToken(memeFirst + number)

const poolOf = (number: number, now: number) => {
  const [stock, other] = [
    stockTokens[number % stockTokens.length] as SyntheticToken,
    otherToken(number),
  ]
  const [token0, token1] = stock.address < other.address ? [stock, other] : [other, stock]
  const ratio = (token0.usd / token1.usd) * 10 ** (token1.decimals - token0.decimals)
  const tick = Math.floor(Math.log(ratio) / Math.log(1.0001))
  const reserveUsd = 1000 + (number % 100_000)
  const amountOf = ({ usd, decimals }: SyntheticToken) =>
    BigInt(Math.ceil((reserveUsd / usd) * 1e6)) * 10n ** BigInt(Math.max(0, decimals - 6))
  const identity: PoolIdentity = {
    number,
    id: syntheticHash('filled pool', 1, number),
    version: 'v4',
    venue: manager,
    key: {
      token0: token0.address,
      token1: token1.address,
      fee: 3000,
      tickSpacing: 60,
      hooks: nativeAddress,
    },
    createdBlock: 1,
    createdTs: now - 30 * secondsPerDay,
  }
  const state: PoolState = {
    price: { sqrtPriceX96: sqrtPriceAtTick(tick) + 1n, tick },
    liquidity: 10n ** 18n,
    reserves: { amount0: amountOf(token0), amount1: amountOf(token1) },
    depth: { amount0: amountOf(token0) / 10n, amount1: amountOf(token1) / 10n },
    mapFault: null,
    lastSwapTs: swappedAt(now).ts,
    lastSwapBlock: swappedAt(now).block,
    lastSwapFee: 3000,
    fees: { lpFee: 3000, protocolFee: 0, block: 1 },
  }
  return { identity, state }
}

const tokenOf = ({ address, symbol, decimals }: SyntheticToken): StoredToken => ({
  address,
  symbol: known(symbol),
  name: known(`${symbol} Token`),
  decimals: known(decimals),
})

const numbersOf = (from: number, count: number): readonly number[] =>
  Array.from({ length: count }, (_, at) => from + at)

const writePools = async (
  store: Store,
  { pools }: FillSize,
  at: { readonly anchor: (block: number) => BlockRef; readonly now: number },
): Promise<BlockRef> => {
  const batches = Math.max(1, Math.ceil(pools / batchPools))
  let before: number | null = null
  let to = at.anchor(originBlock - batches)
  for (let batch = 0; batch < batches; batch++) {
    const count = Math.min(batchPools, pools - batch * batchPools)
    const made = numbersOf(batch * batchPools + 1, count).map((number) => poolOf(number, at.now))
    to = at.anchor(originBlock - batches + batch)
    const outcome = await store.commitRange({
      expectedCursor: before,
      to,
      head: to,
      progress: { phase: 'done', done: 1, total: 1 },
      blocks: batch === 0 ? [swappedAt(at.now)] : [],
      pools: made.map(({ identity }) => identity),
      states: made.map(({ identity, state }) => ({ pool: identity.number, state })),
      ticks: [],
      swaps: [],
      liquidity: [],
      candles: [],
      references: [],
    })
    if (outcome !== 'committed') throw new Error(outcome)
    await store.recordTokens(
      made.map(({ identity }) => tokenOf(memeToken(memeFirst + identity.number))),
    )
    before = to.block
  }
  return to
}

/** Writes stocks, quotes and trusted tokens, as a long-running indexer has stored them. */
const addressesOf = (tokens: readonly SyntheticToken[]): readonly Address[] =>
  tokens.map(({ address }) => address)

const writeMarket = async (store: Store, now: number): Promise<void> => {
  await store.recordTokens([...trustedTokens, ...stockTokens].map(tokenOf))
  const searched = (kind: PoolSearch['kind'], addresses: readonly Address[]) =>
    addresses.map((address) => ({ address, kind, fromBlock: originBlock, done: 0, total: 0 }))
  await store.recordSearches([
    ...searched('stock', addressesOf(stockTokens)),
    ...searched('trusted', addressesOf(trustedTokens)),
    ...searched('venue', [factory, manager]),
  ])
  const stocks = stockTokens.map(({ address, symbol, feed }) =>
    stockOf({ address, symbol, name: `${symbol} Inc.`, issuer: null, feed: feed?.proxy ?? null }),
  )
  await store.recordStocks(stocks.map((stock) => ({ ...stock, readTs: now })))
  const quotes = tokensWithFeed.map(({ address, usd }) => ({
    address,
    source: 'chainlink' as const,
    per: 'token' as const,
    bid: null,
    ask: null,
    last: usd,
    publishedTs: now,
    fetchedTs: now,
    halted: false,
    haltTs: null,
    lapse: null,
    ...noTrail,
  }))
  await store.recordEnrichment({ ts: now, quotes, references: [], reserves: [], hot: [] })
}

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

export const filledPoolId = (number: number): string => syntheticHash('filled pool', 1, number)

/** Creates a store that is indexed up to the block before the chain's first one. */
export const fillStore = async (
  path: string,
  chain: SyntheticChain,
  size: FillSize,
  now: number,
): Promise<void> => {
  const store = openStore(path)
  const { name: network } = syntheticNetwork
  const originHash = chain.blockRefAt(originBlock).hash
  const claimed = await store.claim({ chainId, network, originHash }, now)
  if (claimed !== 'ready') throw new Error(claimed)
  await writeMarket(store, now)
  const to = await writePools(store, size, { anchor: chain.blockRefAt, now })
  await store.advanceFinalized({ expectedCursor: null, to, crossChecked: true })
  await store.close()
  if (size.swaps > 0) writeSwaps(path, size, now)
}
