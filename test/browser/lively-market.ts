import { success } from '../../src/domain/outcome.ts'
import type { PastSwapView } from '../../src/domain/views/history.ts'
import type { PoolView, SwapView } from '../../src/domain/views/pool.ts'
import type { SampleMarket } from '../support/api/sample-market.ts'
import { samplePools, sampleStocks } from '../support/api/sample-market.ts'
import { swapPageOf } from './swap-pages.ts'

/*
 * A market for manual inspection and tests: 130 pools, names that must not be trusted, a
 * series of a day. Time stands still at the sample's moment.
 */

const [sample] = samplePools as readonly [PoolView]
const [nvda] = sampleStocks as readonly [(typeof sampleStocks)[number]]

export const nowTs = 1_795_215_603
const poolCount = 130
const bucketSeconds = 300
const buckets = 288

const hostileNames = [
  '<img src=x onerror=hacked=1>',
  '"><script>hacked=1</script>',
  'javascript:hacked=1',
  '\u202eGDSU\u202c',
  'NVDA',
]

const idOf = (number: number) => `0x${number.toString(16).padStart(40, '0')}` as const

const symbols = ['NVDA', 'TSLA', 'AAPL'] as const

/** A few that are not as they should be, each in its own way. */
const trusts: readonly Pick<PoolView, 'dataStatus' | 'statusReasons'>[] = [
  { dataStatus: 'partial', statusReasons: ['quote_old', 'market_closed'] },
  { dataStatus: 'stale', statusReasons: ['state_old'] },
  { dataStatus: 'unavailable', statusReasons: ['decimals_unknown'] },
  { dataStatus: 'partial', statusReasons: ['hook_custom_accounting'] },
]

const trustOf = (number: number) =>
  trusts[number % 10 === 7 ? Math.floor(number / 10) : trusts.length] ??
  ({ dataStatus: 'fresh', statusReasons: [] } as const)

const poolOf = (number: number): PoolView => {
  const kind = number % 3 === 2 ? 'meme' : 'canonical'
  return {
    ...sample,
    id: idOf(number + 1),
    kind,
    version: number % 2 === 0 ? 'v3' : 'v4',
    stockSymbol: symbols[number % symbols.length] as string,
    otherSymbol: kind === 'meme' ? `DOG${number}` : 'USDG',
    otherPriceUsd: kind === 'meme' ? 4.5e-9 : 1,
    liquidityUsd: 1_000_000 - number * 1000,
    depthUsd: 20_000 - number * 100,
    vol24hUsd: number * 1000,
    premiumBps: kind === 'meme' ? null : (number - 60) * 5,
    hot: number % 10 === 0,
    lastSwapTs: nowTs - number * 7,
    stateTs: nowTs - 2,
    ...trustOf(number),
  }
}

const hostilePools = hostileNames.map((otherSymbol, at) => ({
  ...poolOf(2),
  id: idOf(1000 + at),
  otherSymbol,
  otherImitates: otherSymbol === 'NVDA' ? 'NVDA' : null,
  liquidityUsd: 500 - at,
}))

export const livelyPools: readonly PoolView[] = [
  ...Array.from({ length: poolCount }, (_, at) => poolOf(at)),
  ...hostilePools,
]

const bucketAt = (endTs: number, at: number) => {
  const ts = endTs - (endTs % bucketSeconds) - (buckets - 1 - at) * bucketSeconds
  const price = 225 + Math.sin(at / 20) * 4
  return {
    ts,
    open: price,
    high: price,
    low: price,
    close: price,
    stockPriceInOther: price,
    stockPriceUsd: price,
    otherPriceUsd: 1,
    liquidityUsd: 900_000,
    volumeUsd: 1000 + (at % 17) * 400,
    swaps: 3,
    closed: at < buckets - 1,
  }
}

/** A day of candles that ends then. */
export const seriesUpTo = (endTs: number) =>
  Array.from({ length: buckets }, (_, at) => bucketAt(endTs, at))

const series = seriesUpTo(nowTs)

const stockSeries = series.map(({ ts, closed }, at) => ({
  ts,
  closed,
  referenceUsd: 225 + Math.sin(at / 20 + 0.2) * 4,
  poolPriceUsd: 225 + Math.sin(at / 20) * 4,
  premiumBps: null,
}))

export const swapOf = (logIndex: number, stockAmount = 1.5): SwapView => ({
  txHash: `0x${logIndex.toString(16).padStart(64, '7')}`,
  logIndex,
  block: 24_880_412 + logIndex,
  ts: nowTs - 1,
  side: 'buy',
  stockAmount,
  otherAmount: stockAmount * 225,
  priceInOther: 225,
  amountUsd: stockAmount * 225,
  sender: idOf(77),
  recipient: idOf(78),
  fee: 3000,
  sqrtPriceX96: '79228162514264337593543950336',
  tick: 1,
  implausible: false,
})

/** The same as a row of the list of past swaps. */
export const toPastSwap = (swap: SwapView, poolId: PoolView['id']): PastSwapView => ({
  ...swap,
  ...{ poolId, stockSymbol: 'NVDA', txIndex: 0, trader: null, settled: true },
})

const sortKeys = {
  liquidity: 'liquidityUsd',
  vol1h: 'vol1hUsd',
  vol24h: 'vol24hUsd',
  vol24hFiltered: 'vol24hFilteredUsd',
  created: 'createdBlock',
  lastSwap: 'lastSwapTs',
  premium: 'premiumBps',
  depth: 'depthUsd',
  feeApr24h: 'feeApr24h',
} as const

/** Teaches the sample market to filter and sort, and fills it. */
export const enliven = (market: SampleMarket): SampleMarket => {
  const { quote, depth, ranges } = market
  return Object.assign(market, {
    // One answer for all: that of the sample's first pool.
    quote: (_id, order) => quote(sample.id, order),
    depth: (_id, segments) => depth(sample.id, segments),
    ranges: (_id, query) => ranges(sample.id, query),
    pools: async (query) => {
      const { symbol, kind, version, hot, sort, order, limit, offset } = query
      market.queries.push(query)
      const q = query.q?.toLowerCase()
      const key = sortKeys[sort ?? 'liquidity']
      const sign = order === 'asc' ? 1 : -1
      const found = livelyPools
        .filter((row) => symbol === null || row.stockSymbol === symbol)
        .filter((row) => kind === null || row.kind === kind)
        .filter((row) => version === null || row.version === version)
        .filter((row) => hot === null || row.hot === hot)
        .filter(({ stockSymbol, otherSymbol }) =>
          q === undefined ? true : `${stockSymbol} ${otherSymbol}`.toLowerCase().includes(q),
        )
        .toSorted((one, other) => sign * ((one[key] ?? -1e9) - (other[key] ?? -1e9)))
      return { items: found.slice(offset, offset + limit), total: found.length, limit, offset }
    },
    pool: async (id, range) => {
      market.queries.push({ id, range })
      const pool = livelyPools.find((row) => row.id === id)
      if (pool === undefined) return null
      return {
        pool,
        series,
        swaps: [swapOf(1), swapOf(0)],
        screener: null,
        hookReview: null,
        past: null,
      }
    },
    poolSwaps: async (id, query) => {
      if (!livelyPools.some((row) => row.id === id)) return null
      const rows = [swapOf(1), swapOf(0)].map((swap) => toPastSwap(swap, id))
      return success(swapPageOf(rows, query))
    },
    stock: async (key, range) => {
      market.queries.push({ key, range })
      return { stock: { ...nvda, statusReasons: [] }, series: stockSeries, pools: livelyPools }
    },
  } satisfies Partial<SampleMarket>)
}
