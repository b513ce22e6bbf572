import type { BlockRef } from '../../src/domain/chain/block-ref.ts'
import { sqrtPriceAtTick } from '../../src/domain/math/tick-math.ts'
import type { PoolIdentity, PoolState } from '../../src/domain/pool/pool-state.ts'
import type { StoredTick } from '../../src/domain/pool/stored-rows.ts'
import { noTrail } from '../../src/domain/price/quote.ts'
import { known } from '../../src/domain/reading.ts'
import type { PoolSearch } from '../../src/domain/status/pool-search.ts'
import { type Address, type Hash, nativeAddress } from '../../src/domain/units.ts'
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
import { syntheticHash } from '../chain/hashes.ts'
import { chainId, originBlock } from '../chain/params.ts'

/** The market of a filled store, and what its pools have in common. */
export type FilledMarket = {
  readonly pools: number
  readonly now: number
  readonly originHash: Hash
  /** A block behind the last swap of all pools. */
  readonly lastSwap: BlockRef
  /** A block before the origin; the store is indexed up to the last of them. */
  readonly anchor: (block: number) => BlockRef
  readonly reserveUsdOf: (pool: number) => number
  readonly ticksOf: (pool: number) => readonly StoredTick[]
}

const batchPools = 10_000
/** First meme number of filled pools; the chain's own memes have lower numbers. */
const memeFirst = 10_000_000
const secondsPerDay = 86_400
/** Liquidity of every filled pool. */
export const filledLiquidity = 10n ** 18n

export const filledPoolId = (number: number): Hash => syntheticHash('filled pool', 1, number)

/** As on the real chain, nearly all pools pair a stock with an inactive token. */
const otherToken = (number: number): SyntheticToken =>
  number % 20 === 0 ? (trustedTokens[0] as SyntheticToken) : memeToken(memeFirst + number)

const poolOf = (number: number, { now, lastSwap, reserveUsdOf }: FilledMarket) => {
  const [stock, other] = [
    stockTokens[number % stockTokens.length] as SyntheticToken,
    otherToken(number),
  ]
  const [token0, token1] = stock.address < other.address ? [stock, other] : [other, stock]
  const ratio = (token0.usd / token1.usd) * 10 ** (token1.decimals - token0.decimals)
  const tick = Math.floor(Math.log(ratio) / Math.log(1.0001))
  const reserveUsd = reserveUsdOf(number)
  const amountOf = ({ usd, decimals }: SyntheticToken) =>
    BigInt(Math.ceil((reserveUsd / usd) * 1e6)) * 10n ** BigInt(Math.max(0, decimals - 6))
  const identity: PoolIdentity = {
    number,
    id: filledPoolId(number),
    version: 'v4',
    protocol: 'uniswap-v4',
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
    liquidity: filledLiquidity,
    reserves: { amount0: amountOf(token0), amount1: amountOf(token1) },
    depth: { amount0: amountOf(token0) / 10n, amount1: amountOf(token1) / 10n },
    mapFault: null,
    lastSwapTs: lastSwap.ts,
    lastSwapBlock: lastSwap.block,
    lastSwapFee: 3000,
    fees: { lpFee: 3000, protocolFee: 0, block: 1 },
    settings: null,
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

const writePools = async (store: Store, market: FilledMarket): Promise<BlockRef> => {
  const { pools, anchor, lastSwap, ticksOf } = market
  const batches = Math.max(1, Math.ceil(pools / batchPools))
  let before: number | null = null
  let to = anchor(originBlock - batches)
  for (let batch = 0; batch < batches; batch++) {
    const count = Math.min(batchPools, pools - batch * batchPools)
    const numbers = numbersOf(batch * batchPools + 1, count)
    const made = numbers.map((number) => poolOf(number, market))
    to = anchor(originBlock - batches + batch)
    const outcome = await store.commitRange({
      expectedCursor: before,
      to,
      head: to,
      progress: { phase: 'done', done: 1, total: 1 },
      blocks: batch === 0 ? [lastSwap] : [],
      pools: made.map(({ identity }) => identity),
      states: made.map(({ identity, state }) => ({ pool: identity.number, state })),
      ticks: numbers.flatMap(ticksOf),
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

const addressesOf = (tokens: readonly SyntheticToken[]): readonly Address[] =>
  tokens.map(({ address }) => address)

/** Writes stocks, quotes and trusted tokens, as a long-running indexer has stored them. */
const writeStocks = async (store: Store, now: number): Promise<void> => {
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

/** Writes stocks and pools into an empty store, all of it finalized. */
export const fillMarket = async (store: Store, market: FilledMarket): Promise<void> => {
  const { originHash, now } = market
  const claimed = await store.claim({ chainId, network: syntheticNetwork.name, originHash }, now)
  if (claimed !== 'ready') throw new Error(claimed)
  await writeStocks(store, now)
  const to = await writePools(store, market)
  await store.advanceFinalized({ expectedCursor: null, to, crossChecked: true })
}
