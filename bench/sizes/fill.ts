import { setTimeout as delay } from 'node:timers/promises'
import type { BlockRef } from '../../src/domain/chain/block-ref.ts'
import type { Candle, StoredSwap } from '../../src/domain/pool/stored-rows.ts'
import { aggregateCandles, rawPrice, withSwap } from '../../src/domain/series/candles.ts'
import { bucketStart } from '../../src/domain/series/series-range.ts'
import type { Hex } from '../../src/domain/units.ts'
import type { Store } from '../../src/ports/store.ts'
import type { RangeBatch } from '../../src/ports/store-batches.ts'

/*
 * Fills a store as an indexer would, without a chain: trades follow Zipf's law over pools and are
 * even over the days, and values are as wide as real ones. It uses the store port only.
 */

export type FillParams = {
  readonly swaps: number
  readonly pools: number
  readonly days: number
  readonly ticksPerPool: number
}

/** A Monday, 00:00. */
const startTs = 1_795_392_000
const blocksPerSecond = 10
const batchSwaps = 2_000
/** About an hour of the days of the default. */
const finalizedBatches = 3
const traders = 5_000

/** xorshift32, so that every run writes the same store. */
const createDraw = (seed: number) => {
  let state = seed
  const next = (): number => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 32
  }
  const hex = (bytes: number): Hex => {
    let digits = ''
    while (digits.length < bytes * 2)
      digits += Math.floor(next() * 2 ** 32)
        .toString(16)
        .padStart(8, '0')
    return `0x${digits.slice(0, bytes * 2)}`
  }
  return { next, hex }
}

type Draw = ReturnType<typeof createDraw>

/** Cumulated weights 1/1, 1/2, 1/3, … and the pool that a number in [0, 1) falls on. */
const createZipf = (pools: number) => {
  let sum = 0
  const edges = Array.from({ length: pools }, (_, at) => {
    sum += 1 / (at + 1)
    return sum
  })
  return (at: number): number => {
    const aim = at * sum
    let [low, high] = [0, pools - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((edges[middle] as number) < aim) low = middle + 1
      else high = middle
    }
    return low + 1
  }
}

const anchorOf = (block: number, { hex }: Draw): BlockRef => ({
  block,
  hash: hex(32),
  ts: startTs + Math.floor(block / blocksPerSecond),
})

const poolOf = (number: number, { hex }: Draw) => ({
  number,
  id: hex(number % 2 === 0 ? 20 : 32),
  version: number % 2 === 0 ? ('v3' as const) : ('v4' as const),
  protocol: number % 2 === 0 ? 'uniswap-v3' : 'uniswap-v4',
  venue: hex(20),
  key: {
    token0: hex(20),
    token1: hex(20),
    fee: 3000,
    tickSpacing: 60,
    hooks: number % 2 === 0 ? null : hex(20),
  },
  createdBlock: 0,
  createdTs: startTs,
})

const stateOf = (sqrtPriceX96: bigint, ts: number) => ({
  price: { sqrtPriceX96, tick: -276_324 },
  liquidity: 2_884_213_433_371_422_010n,
  reserves: { amount0: 5_982_186_339_205_128_000_000n, amount1: 876_686_262_845n },
  depth: { amount0: 28_697_951_170_000_000_000n, amount1: 28_841_352_120n },
  mapFault: null,
  lastSwapTs: ts,
  lastSwapBlock: 1,
  lastSwapFee: 500,
  fees: null,
  settings: null,
})

const swapOf = (
  pool: number,
  block: number,
  logIndex: number,
  deps: Draw & { senders: readonly Hex[] },
): StoredSwap => {
  const { next, hex, senders } = deps
  const sender = () => senders[Math.floor(next() ** 3 * traders)] as Hex
  const amount0 = BigInt(Math.floor(next() * 1e15)) * 100_000n
  return {
    pool,
    block,
    logIndex,
    ts: startTs + Math.floor(block / blocksPerSecond),
    txHash: hex(32),
    txIndex: logIndex,
    amount0: next() < 0.5 ? amount0 : -amount0,
    amount1: BigInt(Math.floor(next() * 1e11)),
    sqrtPriceX96: 1_183_622_707_190_814_422_094_836n + BigInt(Math.floor(next() * 1e15)),
    liquidity: 2_884_213_433_371_422_010n + BigInt(Math.floor(next() * 1e15)),
    tick: -276_324 + Math.floor(next() * 100),
    fee: 500,
    sender: sender(),
    recipient: pool % 2 === 0 ? sender() : null,
    usdMicro: Math.floor(next() * 1e10),
    estimated: false,
    implausible: false,
    trader: null,
    lpFee: 30_000_000,
    feeYield: 1_234_567,
  }
}

const candlesOf = (swaps: readonly StoredSwap[]): readonly Candle[] => {
  const byPool = new Map<number, Candle[]>()
  for (const swap of swaps) {
    const minutes = byPool.get(swap.pool) ?? []
    byPool.set(swap.pool, minutes)
    const ts = bucketStart(swap.ts, 60)
    const last = minutes.at(-1)
    const price = rawPrice(swap.sqrtPriceX96)
    const empty: Candle = {
      pool: swap.pool,
      width: 60,
      ts,
      open: price,
      high: price,
      low: price,
      close: price,
      usdMicro: 0,
      swaps: 0,
      unpriced: 0,
      estimated: 0,
      implausible: 0,
      feeYield: 12_345_678,
      yielded: 10,
      reserve0: 5.9e21,
      reserve1: 8.7e11,
    }
    if (last?.ts === ts) minutes[minutes.length - 1] = withSwap(last, swap)
    else minutes.push(withSwap(empty, swap))
  }
  return [...byPool.values()].flatMap(aggregateCandles)
}

const firstBatch = ({ pools, ticksPerPool }: FillParams, draw: Draw): RangeBatch => {
  const numbers = Array.from({ length: pools }, (_, at) => at + 1)
  const to = anchorOf(0, draw)
  return {
    expectedCursor: null,
    to,
    head: to,
    progress: { phase: 'done', done: 1, total: 1 },
    blocks: [],
    pools: numbers.map((number) => poolOf(number, draw)),
    states: [],
    ticks: numbers.flatMap((pool) =>
      Array.from({ length: ticksPerPool }, (_, at) => ({
        pool,
        tick: at * 60,
        net: BigInt(Math.floor(draw.next() * 1e15)) * 1_000n,
        gross: 10n ** 18n + BigInt(at),
      })),
    ),
    swaps: [],
    liquidity: [],
    candles: [],
    references: [],
  }
}

/** Finalizes what is in, and forgets what an indexer would. */
const finalize = async (store: Store, to: BlockRef, before: number | null): Promise<void> => {
  await store.advanceFinalized({ expectedCursor: before, to, crossChecked: true })
  await store.prune({ swapsBeforeTs: startTs, minuteRowsBeforeTs: startTs })
}

/** Blocks `from` to `end` with this many swaps, evenly; the store's cursor is the block before. */
type NextBatch = (range: {
  readonly from: number
  readonly end: number
  readonly count: number
}) => RangeBatch

const createBatches = (pools: number, draw: Draw): NextBatch => {
  const zipf = createZipf(pools)
  const senders = Array.from({ length: traders }, () => draw.hex(20))
  return ({ from, end, count }) => {
    const swaps = Array.from({ length: count }, (_, at) => {
      const block = from + Math.floor(((end - from) * at) / count)
      return swapOf(zipf(draw.next()), block, at % 50, { ...draw, senders })
    })
    const unique = [
      ...new Map(swaps.map((each) => [`${each.block} ${each.logIndex}`, each])).values(),
    ]
    const newest = new Map(unique.map((each) => [each.pool, each]))
    const to = anchorOf(end, draw)
    return {
      expectedCursor: from - 1,
      to,
      head: to,
      progress: { phase: 'done', done: 1, total: 1 },
      blocks: [...new Set(unique.map(({ block }) => block))].map((block) => anchorOf(block, draw)),
      pools: [],
      states: [...newest.values()].map((each) => ({
        pool: each.pool,
        state: stateOf(each.sqrtPriceX96, each.ts),
      })),
      ticks: [],
      swaps: unique,
      liquidity: [],
      candles: candlesOf(unique),
      references: [],
    }
  }
}

const commit = async (store: Store, batch: RangeBatch): Promise<void> => {
  const outcome = await store.commitRange(batch)
  if (outcome !== 'committed') throw new Error(`the batch up to ${batch.to.block} is ${outcome}`)
}

/** Fills an empty store; says how many swaps are in. */
export const fillForSizes = async (
  store: Store,
  params: FillParams,
  onSwaps: (done: number) => void,
): Promise<void> => {
  const draw = createDraw(20_261_121)
  const next = createBatches(params.pools, draw)
  const blocks = params.days * 86_400 * blocksPerSecond
  await store.claim({ chainId: 4663, network: 'sizes', originHash: draw.hex(32) }, startTs)
  await store.commitRange(firstBatch(params, draw))
  let before = 0
  let finalized: number | null = null
  for (let done = 0; done < params.swaps; done += batchSwaps) {
    const end = Math.floor((blocks * Math.min(params.swaps, done + batchSwaps)) / params.swaps)
    const count = Math.min(batchSwaps, params.swaps - done)
    const batch = next({ from: before + 1, end, count })
    await commit(store, batch)
    before = end
    if ((done / batchSwaps) % finalizedBatches === 0) {
      await finalize(store, batch.to, finalized)
      finalized = end
    }
    onSwaps(done + count)
  }
}

/** Writes as an indexer at the head does: ten blocks a second until `signal`; returns how many. */
export const followForSizes = async (
  store: Store,
  { pools, swapsPerBlock }: { readonly pools: number; readonly swapsPerBlock: number },
  signal: AbortSignal,
): Promise<number> => {
  const header = await store.snapshot((snapshot) => snapshot.header())
  const last = header?.cursor?.block ?? 0
  const next = createBatches(pools, createDraw(last + 1))
  const startedMs = performance.now()
  for (let blocks = 0; ; blocks += 1) {
    const waitMs = startedMs + (blocks * 1000) / blocksPerSecond - performance.now()
    if (waitMs > 0) await delay(waitMs)
    if (signal.aborted) return blocks
    const block = last + blocks + 1
    await commit(store, next({ from: block, end: block, count: swapsPerBlock }))
  }
}
