import { failure, success } from '../../../src/domain/outcome.ts'
import type { Address } from '../../../src/domain/units.ts'
import type { FeedPair, FeedQueries, PairEvent } from '../../../src/market/feed/feed.ts'
import { samplePools } from './sample-market.ts'

export type Answer = <T>(question: unknown, read: () => T) => Promise<T>

/** The last block that aggregators may ask for. */
export const sampleFeedBlock = 24_880_412
const ts = 1_795_215_571

const one = { numerator: 1n, denominator: 1n }

const pairOf = ({ id, token0, token1 }: (typeof samplePools)[number]): FeedPair => ({
  ...{ id, token0, token1, decimals0: 18, decimals1: 6, venue: 'Uniswap v3', fee: 3000 },
  ...{ createdBlock: 24_000_100, createdTs: 1_795_100_000 },
})

/** In each block a swap and, with unknown reserves, an addition of liquidity. */
const eventsOf = (block: number): readonly PairEvent[] => {
  const [pool] = samplePools
  if (pool === undefined) return []
  const pair = pairOf(pool)
  const maker: Address = `0x${'3'.repeat(40)}`
  const txHash = `0x${'5'.repeat(64)}` as const
  const placed = { pool: 1, block, ts, txHash, txIndex: 4, maker }
  const reserves = { amount0: 5n * 10n ** 18n, amount1: 1_000_000_000n }
  const swapped = { amount0: 10n ** 18n, amount1: -200_000_001n, sqrtPriceX96: 1n << 76n }
  const added = { amount0: 1n, amount1: 7n }
  return [
    { pair, event: { ...placed, kind: 'swap', logIndex: 17, reserves, ...swapped } },
    { pair, event: { ...placed, kind: 'join', logIndex: 18, reserves: null, ...added } },
  ]
}

/** What the sample market says to aggregators. */
export const sampleFeed = (answer: Answer): FeedQueries => ({
  feedBlock: () => answer('feed block', () => ({ block: sampleFeedBlock, ts })),
  feedEvents: (range) =>
    answer(range, () => {
      const { fromBlock, toBlock } = range
      if (toBlock > sampleFeedBlock) {
        return failure({ kind: 'not-announced', last: sampleFeedBlock })
      }
      const from = Math.max(fromBlock, toBlock - 100)
      const blocks = Array.from({ length: toBlock - from + 1 }, (_, at) => from + at)
      return success(blocks.flatMap(eventsOf))
    }),
  feedTickers: ({ limit, offset }) =>
    answer({ limit, offset }, () =>
      samplePools.slice(offset, offset + limit).map((pool) => ({ pool, bid: 206.5, ask: null })),
    ),
  orderBook: (id, orders) =>
    answer({ id, orders }, () => {
      const order = { price: { numerator: 207n, denominator: 2n }, amount: one }
      const listed = Array.from({ length: orders }, () => order)
      return samplePools.some((pool) => pool.id === id) ? { bids: listed, asks: [] } : null
    }),
  feedPair: (id) =>
    answer(id, () => {
      const pool = samplePools.find((each) => each.id === id)
      return pool === undefined ? null : pairOf(pool)
    }),
  feedAsset: (address) =>
    answer(address, () => {
      const isHeld = samplePools.some(({ token0, token1 }) => [token0, token1].includes(address))
      return isHeld ? { address, symbol: 'NVDA', name: 'NVIDIA' } : null
    }),
})
