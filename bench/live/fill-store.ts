import { DatabaseSync } from 'node:sqlite'
import type { BlockRef } from '../../src/domain/chain/block-ref.ts'
import { sqrtPriceAtTick } from '../../src/domain/math/tick-math.ts'
import type { PoolIdentity, PoolState } from '../../src/domain/pool/pool-state.ts'
import { known } from '../../src/domain/reading.ts'
import { nativeAddress } from '../../src/domain/units.ts'
import type { Store } from '../../src/ports/store.ts'
import type { StoredToken } from '../../src/ports/store-batches.ts'
import { stockOf } from '../../test/support/domain/sample-inputs.ts'
import {
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

/** What a store holds before the chain's first block. */
export type FillSize = { readonly pools: number; readonly swaps: number }

const piecePools = 10_000
/** Of all pools; the memes of the chain itself have lower numbers. */
const memeFirst = 10_000_000
const secondsPerDay = 86_400
/** Swaps lie in the last day, and none leaves it while the benchmark runs. */
const swapSecondsMax = 22 * 3600
/** A swap of each filled pool is worth this much, so that a volume counts swaps. */
export const swapUsd = 2

/** On the real chain as well, nearly all pools are of tokens that nobody trades. */
const otherOf = (number: number): SyntheticToken =>
  number % 20 === 0 ? (trustedTokens[0] as SyntheticToken) : memeToken(memeFirst + number)

const poolOf = (number: number, now: number) => {
  const [stock, other] = [
    stockTokens[number % stockTokens.length] as SyntheticToken,
    otherOf(number),
  ]
  const [token0, token1] = stock.address < other.address ? [stock, other] : [other, stock]
  const ratio = (token0.usd / token1.usd) * 10 ** (token1.decimals - token0.decimals)
  const tick = Math.floor(Math.log(ratio) / Math.log(1.0001))
  const wholes = 1000 + (number % 100_000)
  const amountOf = ({ usd, decimals }: SyntheticToken) =>
    BigInt(Math.ceil((wholes / usd) * 1e6)) * 10n ** BigInt(Math.max(0, decimals - 6))
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
    mapFault: null,
    lastSwapTs: now - 600,
    lastSwapBlock: 2,
    lastSwapFee: 3000,
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
  const pieces = Math.max(1, Math.ceil(pools / piecePools))
  let before: number | null = null
  let to = at.anchor(originBlock - pieces)
  for (let piece = 0; piece < pieces; piece++) {
    const count = Math.min(piecePools, pools - piece * piecePools)
    const made = numbersOf(piece * piecePools + 1, count).map((number) => poolOf(number, at.now))
    to = at.anchor(originBlock - pieces + piece)
    const outcome = await store.commitRange({
      expectedCursor: before,
      to,
      head: to,
      progress: { phase: 'done', done: 1, total: 1 },
      blocks: [],
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

/** Stocks, their prices and the trusted tokens, as an index that has run for long knows them. */
const writeMarket = async (store: Store, now: number): Promise<void> => {
  await store.recordTokens([...trustedTokens, ...stockTokens].map(tokenOf))
  await store.recordDiscoveredStocks(stockTokens.map(({ address }) => address))
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
    lapse: null,
  }))
  await store.recordEnrichment({ ts: now, quotes, references: [], reserves: [], hot: [] })
}

/**
 * By the store's own tables, because four million rows through its writer take minutes; in the
 * order of their arrival, most of them in few pools, with their candles. The index is built at the
 * end.
 */
const writeSwaps = (path: string, { pools, swaps }: FillSize, now: number): void => {
  const db = new DatabaseSync(path)
  db.exec('PRAGMA synchronous = OFF; PRAGMA cache_size = -400000')
  const index = db.prepare("SELECT sql FROM sqlite_schema WHERE name = 'swaps_by_second'").get()
  db.exec('DROP INDEX swaps_by_second')
  db.prepare(`
    WITH RECURSIVE counted (n, chance) AS (
      SELECT 0, 1 UNION ALL
      SELECT n + 1, (chance * 48271) % 2147483647 FROM counted WHERE n + 1 < :swaps
    ), placed AS (
      SELECT n, chance / 2147483647.0 AS part FROM counted
    )
    INSERT INTO swaps (pool, block, log_index, ts, tx_hash, amount0, amount1, sqrt_price_x96,
      liquidity, tick, fee, sender, recipient, usd_micro, estimated)
    SELECT 1 + CAST(:pools * part * part * part AS INTEGER), 2, n,
      :from + n * ${swapSecondsMax} / :swaps, randomblob(32),
      x'0de0b6b3a7640000', x'f21f494c589c0000', x'01000000000000000000000000',
      x'0de0b6b3a7640000', 0, 3000, zeroblob(20), NULL, ${swapUsd * 1_000_000}, 0
    FROM placed`).run({
    swaps: BigInt(swaps),
    pools: BigInt(pools),
    from: BigInt(now - swapSecondsMax - 600),
  })
  db.exec(String((index as { readonly sql: string }).sql))
  db.exec(`
    INSERT INTO candles (pool, width, ts, open, high, low, close, usd_micro, swaps, unpriced,
      estimated)
    SELECT pool, column1, ts - ts % column1, 1, 1, 1, 1, SUM(usd_micro), COUNT(*), 0, 0
    FROM swaps CROSS JOIN (VALUES (60), (3600), (86400)) GROUP BY 1, 2, 3`)
  db.close()
}

/** How many swaps each filled pool has, as the store itself counts its rows. */
export const countSwaps = (path: string, pool: number): number => {
  const db = new DatabaseSync(path, { readOnly: true })
  const row = db.prepare('SELECT COUNT(*) AS swaps FROM swaps WHERE pool = ?').get(pool)
  db.close()
  return Number(row?.swaps)
}

export const filledPoolId = (number: number): string => syntheticHash('filled pool', 1, number)

/** Makes a store that stands just before the chain's first block and holds all this. */
export const fillStore = async (
  path: string,
  chain: SyntheticChain,
  filling: FillSize,
  now: number,
): Promise<void> => {
  const store = openStore(path)
  const { name: network } = syntheticNetwork
  const originHash = chain.blockRefAt(originBlock).hash
  const begun = await store.claim({ chainId, network, originHash }, now)
  if (begun !== 'ready') throw new Error(begun)
  await writeMarket(store, now)
  const to = await writePools(store, filling, { anchor: chain.blockRefAt, now })
  await store.advanceFinalized({ expectedCursor: null, to, crossChecked: true })
  await store.close()
  if (filling.swaps > 0) writeSwaps(path, filling, now)
}
