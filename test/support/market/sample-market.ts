import type { Candle, ReferencePoint, StoredSwap } from '../../../src/domain/pool/stored-rows.ts'
import { known } from '../../../src/domain/reading.ts'
import { policyDefault } from '../../../src/domain/status/freshness.ts'
import { createMarket, type MarketDeps } from '../../../src/market/create-market.ts'
import type { PoolsQuery } from '../../../src/market/market.ts'
import type { Logger } from '../../../src/ports/runtime.ts'
import type { StoreReader } from '../../../src/ports/store.ts'
import type { StoredPool, StoredToken } from '../../../src/ports/store-batches.ts'
import {
  addressOf,
  hexOf,
  identityOf,
  keyOf,
  noon,
  oracleOf,
  quoteOf,
  stateOf,
  stockOf,
  tokens,
} from '../domain/sample-inputs.ts'
import { beaconStandard } from '../domain/sample-standard.ts'
import { createMemoryStore } from './memory-store.ts'

export const trusted = [
  { symbol: 'USDG', address: tokens.usdg },
  { symbol: 'WETH', address: tokens.weth },
  { symbol: 'ETH', address: tokens.native },
]

export const tokenOf = (address: `0x${string}`, symbol: string, decimals = 18): StoredToken => ({
  address,
  symbol: known(symbol),
  name: known(`${symbol} of the chain`),
  decimals: known(decimals),
})

export const allTokens: readonly StoredToken[] = [
  tokenOf(tokens.nvda, 'fakeNVDA'),
  tokenOf(tokens.tsla, 'TSLA'),
  tokenOf(tokens.usdg, 'USDG', 6),
  tokenOf(tokens.weth, 'WETH'),
  tokenOf(tokens.native, 'ETH'),
  tokenOf(tokens.meme, 'PEPE'),
]

/** A v3 pool with its number in its id: 0x…d001 is the first. */
export const poolOf = (number: number, rest: Partial<StoredPool> = {}): StoredPool => ({
  ...identityOf({ number, id: addressOf(0xd000 + number), ...rest }),
  ...stateOf(),
  lastHotTs: null,
  ...rest,
})

/** NVDA/USDG as `poolOf`, a meme on NVDA, NVDA/TSLA, WETH/USDG. */
export const samplePools = {
  canonical: poolOf(1),
  meme: poolOf(2, {
    version: 'v4',
    id: hexOf(0xabcdef, 32),
    key: keyOf({ token1: tokens.meme, hooks: tokens.native }),
    price: { sqrtPriceX96: 1000n << 96n, tick: 138_162 },
    reserves: { amount0: 10n ** 18n, amount1: 10n ** 24n },
    depth: { amount0: 10n ** 16n, amount1: 10n ** 22n },
  }),
  pair: poolOf(3, {
    venue: addressOf(0xf4),
    key: keyOf({ token1: tokens.tsla }),
    price: { sqrtPriceX96: 1n << 95n, tick: -13_864 },
    reserves: { amount0: 10n ** 18n, amount1: 10n ** 18n },
    depth: { amount0: 10n ** 16n, amount1: 10n ** 16n },
  }),
  reference: poolOf(4, { key: keyOf({ token0: tokens.usdg, token1: tokens.weth }) }),
}

export const anchorAt = (block: number, ts: number) => ({ block, hash: hexOf(block, 32), ts })

export const swapOf = (block: number, rest: Partial<StoredSwap> = {}): StoredSwap => ({
  pool: 1,
  block,
  logIndex: 0,
  ts: noon,
  txHash: hexOf(block, 32),
  txIndex: 0,
  amount0: -(10n ** 18n),
  amount1: 100n * 10n ** 6n,
  sqrtPriceX96: 1n << 96n,
  liquidity: 1n,
  tick: 0,
  fee: null,
  sender: addressOf(1),
  recipient: addressOf(2),
  usdMicro: 100_000_000,
  estimated: false,
  implausible: false,
  trader: null,
  lpFee: null,
  feeYield: null,
  ...rest,
})

export const candleOf = (ts: number, rest: Partial<Candle> = {}): Candle => ({
  pool: 1,
  width: 60,
  ts,
  open: 9e-11,
  high: 9e-11,
  low: 9e-11,
  close: 9e-11,
  usdMicro: 1_000_000,
  swaps: 1,
  unpriced: 0,
  estimated: 0,
  implausible: 0,
  feeYield: 0,
  yielded: 0,
  reserve0: 1e21,
  reserve1: 1.5e11,
  ...rest,
})

export const pointOf = (
  address: `0x${string}`,
  ts: number,
  usd: number,
  rest: Partial<ReferencePoint> = {},
): ReferencePoint => ({ address, ts, usd, width: 60, source: 'issuer', ...rest })

export const quotesAt = (ts: number) => [
  quoteOf({ bid: 100, ask: 100, publishedTs: ts }),
  quoteOf({ address: tokens.tsla, bid: 400, ask: 400, publishedTs: ts }),
  oracleOf(1, { address: tokens.usdg, publishedTs: ts - 100 }),
  oracleOf(4000, { address: tokens.weth, publishedTs: ts - 100 }),
]

export const stocks = [
  stockOf(),
  stockOf({ address: tokens.tsla, symbol: 'TSLA', name: 'Tesla Motors' }),
]

export const quietLogger = () => {
  const lines: string[] = []
  const log = (message: string) => lines.push(message)
  const logger: Logger = { debug: log, info: log, warn: log, error: log }
  return { logger, lines }
}

/** A market over any store, with a clock that is set by hand. */
export const marketOver = (store: StoreReader, parts: Partial<MarketDeps> = {}) => {
  const clock = { ts: noon }
  const { logger, lines } = quietLogger()
  const market = createMarket({
    store,
    clock: { now: () => clock.ts },
    logger,
    policy: policyDefault,
    trusted,
    reviewedHooks: new Map(),
    standardOf: beaconStandard(null),
    venues: new Map(),
    methodologyVersion: '1.2.0',
    network: { name: 'robinhood', chainId: 4663 },
    isScreenerEnabled: true,
    ...parts,
  })
  return { market, clock, lines }
}

/** A store with the sample pools, as of `noon`. */
export const sampleStore = () => {
  const store = createMemoryStore()
  store.write({
    header: {
      cursor: anchorAt(1000, noon - 2),
      head: anchorAt(1020, noon),
      enrichedTs: noon - 5,
      writerStartedTs: noon - 500,
    },
    pools: Object.values(samplePools),
    tokens: allTokens,
    stocks,
    quotes: quotesAt(noon - 1),
  })
  return store
}

export const anyPool: PoolsQuery = {
  limit: 25,
  offset: 0,
  symbol: null,
  kind: null,
  q: null,
  version: null,
  venue: null,
  active: null,
  hot: null,
  comparable: null,
  minLiquidityUsd: null,
  minDepthUsd: null,
  sort: null,
  order: 'desc',
}

/** A market that has read its store. */
export const followedMarket = async (store = sampleStore()) => {
  const followed = { store, ...marketOver(store) }
  await followed.market.refresh()
  return followed
}
