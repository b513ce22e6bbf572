import type { BlockRef } from '../../src/domain/chain/block-ref.ts'
import type { ChainIdentity } from '../../src/domain/chain/chain-identity.ts'
import type { PoolIdentity, PoolNumber, PoolState } from '../../src/domain/pool/pool-state.ts'
import {
  type Candle,
  candleWidths,
  type ReferencePoint,
  type StoredSwap,
  type StoredTick,
} from '../../src/domain/pool/stored-rows.ts'
import { noTrail, type Quote } from '../../src/domain/price/quote.ts'
import type { PoolSearch } from '../../src/domain/status/pool-search.ts'
import { type Stock, unverifiedStock } from '../../src/domain/stock/stock.ts'
import type { Hex } from '../../src/domain/units.ts'
import type { StoreReader, StoreWriter } from '../../src/ports/store.ts'
import type { EnrichmentBatch, RangeBatch } from '../../src/ports/store-batches.ts'

/** A Monday, at the start of a day, so that buckets of every width begin here. */
export const day = 1_795_392_000

/** `bytes` bytes that spell the number. */
export const hexOf = (number: number, bytes: number): Hex =>
  `0x${number.toString(16).padStart(bytes * 2, '0')}`

export const addressOf = (number: number): Hex => hexOf(number, 20)
export const hashOf = (number: number): Hex => hexOf(number, 32)

export const chain: ChainIdentity = { chainId: 4663, network: 'robinhood', originHash: hashOf(1) }

/** One block a second from the start of the day. */
export const blockRefAt = (block: number, fork = 0): BlockRef => ({
  block,
  hash: hashOf(block * 16 + fork),
  ts: day + block,
})

/** A complete search. */
export const searchOf = (number: number, rest: Partial<PoolSearch> = {}): PoolSearch => ({
  address: addressOf(number),
  kind: 'stock',
  fromBlock: 0,
  done: 9,
  total: 9,
  ...rest,
})

export const identityOf = (number: PoolNumber): PoolIdentity => ({
  number,
  id: number % 2 === 0 ? addressOf(0xb000 + number) : hashOf(0xb000 + number),
  version: number % 2 === 0 ? 'v3' : 'v4',
  protocol: number % 2 === 0 ? 'uniswap-v3' : 'uniswap-v4',
  venue: addressOf(7),
  key: {
    token0: addressOf(100 + number),
    token1: addressOf(200 + number),
    fee: 3000,
    tickSpacing: 60,
    hooks: number % 2 === 0 ? null : addressOf(0),
  },
  createdBlock: 1,
  createdTs: day + 1,
})

export const stateOf = (liquidity: bigint, rest: Partial<PoolState> = {}): PoolState => ({
  price: { sqrtPriceX96: 2n ** 96n, tick: 0 },
  liquidity,
  reserves: { amount0: liquidity, amount1: liquidity * 2n },
  depth: { amount0: liquidity / 2n, amount1: liquidity },
  mapFault: null,
  lastSwapTs: null,
  lastSwapBlock: null,
  lastSwapFee: null,
  fees: null,
  settings: null,
  ...rest,
})

/** Of a change of liquidity that a version before stored. */
export const noOrigin = { txIndex: null, owner: null, sender: null, salt: null } as const

export const swapAt = (
  position: { readonly pool: PoolNumber; readonly block: number; readonly logIndex?: number },
  rest: Partial<StoredSwap> = {},
): StoredSwap => ({
  logIndex: 0,
  ts: day + position.block,
  txHash: hashOf(position.block),
  txIndex: 4,
  amount0: 5n,
  amount1: -7n,
  sqrtPriceX96: 2n ** 96n,
  liquidity: 1_000n,
  tick: -1,
  fee: null,
  sender: addressOf(11),
  recipient: addressOf(12),
  usdMicro: 1_500_000,
  estimated: false,
  implausible: false,
  trader: null,
  lpFee: null,
  feeYield: null,
  ...position,
  ...rest,
})

export const candleAt = (
  key: Pick<Candle, 'pool' | 'width' | 'ts'>,
  rest: Partial<Candle> = {},
): Candle => ({
  open: 1,
  high: 1,
  low: 1,
  close: 1,
  usdMicro: 0,
  swaps: 0,
  unpriced: 0,
  estimated: 0,
  implausible: 0,
  feeYield: 0,
  yielded: 0,
  reserve0: null,
  reserve1: null,
  ...key,
  ...rest,
})

export const pointAt = (
  ts: number,
  usd: number,
  source: ReferencePoint['source'] = 'chainlink',
): ReferencePoint => ({ address: addressOf(101), width: 60, ts, usd, source })

export const quoteOf = (rest: Partial<Quote> = {}): Quote => ({
  address: addressOf(101),
  source: 'issuer',
  per: 'share',
  bid: 225.38,
  ask: 225.39,
  last: null,
  publishedTs: day,
  fetchedTs: day + 1,
  halted: false,
  haltTs: day,
  lapse: null,
  ...noTrail,
  ...rest,
})

export const stockOf = (number: number, rest: Partial<Stock> = {}): Stock => ({
  address: addressOf(number),
  symbol: 'NVDA',
  name: 'NVIDIA',
  issuer: null,
  decimals: 18,
  feed: null,
  ...unverifiedStock,
  ...rest,
})

/** The batch that continues `before` up to block `to`. */
export const batchOf = (
  { before, to }: { readonly before: number | null; readonly to: number },
  rest: Partial<RangeBatch> = {},
): RangeBatch => ({
  expectedCursor: before,
  to: blockRefAt(to),
  head: blockRefAt(to + 20),
  progress: { phase: 'swaps', done: to, total: 1_000 },
  blocks: [],
  pools: [],
  states: [],
  ticks: [],
  swaps: [],
  liquidity: [],
  candles: [],
  references: [],
  ...rest,
})

export const passAt = (ts: number, rest: Partial<EnrichmentBatch> = {}): EnrichmentBatch => ({
  ts,
  quotes: [],
  references: [],
  reserves: [],
  hot: [],
  ...rest,
})

export const allOf = async <T>(stream: AsyncIterable<T>): Promise<readonly T[]> => {
  const all: T[] = []
  for await (const item of stream) all.push(item)
  return all
}

/** All swaps there are. */
export const ever = { afterTs: 0, toTs: day * 2, afterBlock: -1 }

const wholeDay = { fromTs: 0, toTs: day + 86_400 }

const readAll = async (store: StoreReader) =>
  store.snapshot(async (snapshot) => {
    const pools = await snapshot.poolsChangedAfter(-1)
    const perPool = pools.map(async ({ number: pool, key }) => ({
      swaps: await snapshot.swaps({ pool, fromTs: 0, rowsMax: 10_000 }),
      series: await Promise.all(
        candleWidths.map(async (width) => [
          await snapshot.candles({ pool, width, ...wholeDay }),
          await snapshot.references({ address: key.token0, width, ...wholeDay }),
        ]),
      ),
    }))
    return {
      pools,
      perPool: await Promise.all(perPool),
      header: await snapshot.header(),
      tokens: await snapshot.tokensChangedAfter(-1),
      stocks: await snapshot.stocksChangedAfter(-1),
      quotes: await snapshot.quotes(),
      reserves: await snapshot.reserves(),
      sources: await snapshot.sources(),
      volume: await snapshot.volume(ever),
    }
  })

export type Contents = Awaited<ReturnType<typeof readAll>> & {
  readonly ticks: readonly StoredTick[]
}

/** All that a store answers, to compare two moments of it. */
export const contentsOf = async (store: StoreReader & StoreWriter): Promise<Contents> => ({
  ...(await readAll(store)),
  ticks: await allOf(store.readTicks()),
})
