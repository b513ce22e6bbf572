import { createHash } from 'node:crypto'
import { tickAtSqrtPrice } from '../../../src/domain/math/tick-math.ts'
import { candleWidths } from '../../../src/domain/pool/stored-rows.ts'
import { policyDefault } from '../../../src/domain/status/freshness.ts'
import type { StockListing } from '../../../src/domain/stock/stock.ts'
import type { Address, BlockNumber } from '../../../src/domain/units.ts'
import { backfillIdleWaitMs } from '../../../src/indexer/backfill/swap-backfill.ts'
import { composeIndexer, type IndexerParts } from '../../../src/indexer/compose.ts'
import type { IndexedNetwork, IndexerDeps } from '../../../src/indexer/deps.ts'
import { loadIndex, readStoredState, waitForChain } from '../../../src/indexer/startup.ts'
import type { CallResult } from '../../../src/ports/chain-reader.ts'
import type { QuoteSource } from '../../../src/ports/sources.ts'
import type { Store } from '../../../src/ports/store.ts'
import type { SyncProgressWithEvents } from '../../../src/ports/store-batches.ts'
import { createSqliteStore } from '../../../src/store/sqlite/sqlite-store.ts'
import { poolOf, rootPrice, tokens, venues } from '../domain/sample-market.ts'
import { keccak, logOf, type SamplePool } from '../domain/sample-pool.ts'
import { beaconStandard } from '../domain/sample-standard.ts'
import { startingAt } from '../domain/sample-venues.ts'
import { blockTs, createLongChain, type LongChain, stateView } from './long-chain.ts'

export const origin = 100
const pollMs = 777

const feedOf = (token: Address): Address => `0x${'a'.repeat(20)}${token.slice(2, 22)}`
const aggregatorOf = (token: Address): Address => `0x${'b'.repeat(20)}${token.slice(2, 22)}`
const fed = [tokens.usdg, tokens.weth, tokens.apple, tokens.tesla]

const word = (value: bigint): CallResult => ({
  ok: true,
  data: `0x${value.toString(16).padStart(64, '0')}`,
})

const decimals = new Map<Address, bigint>([
  [tokens.usdg, 6n],
  ...[tokens.apple, tokens.weth, tokens.tesla, tokens.meme].map((each) => [each, 18n] as const),
  ...fed.map((token) => [feedOf(token), 8n] as const),
])

const listingOf = (symbol: string, address: Address): StockListing => ({
  symbol,
  name: symbol,
  issuer: null,
  address,
  decimals: 18,
  feed: feedOf(address),
})

export const apple = listingOf('AAPL', tokens.apple)
export const tesla = listingOf('TSLA', tokens.tesla)

/** A chain whose stocks are real, whose feeds answer, and on which nothing has happened yet. */
export const createSampleWorld = () => {
  const one = 10n ** 18n
  const multipliers = new Map<Address, bigint>([
    [tokens.apple, one],
    [tokens.tesla, one],
  ])
  const chain = createLongChain(({ to, data }) => {
    const multiplier = multipliers.get(to)
    if (data === '0xa60bf13d' && multiplier !== undefined) return word(multiplier)
    if (data === '0x313ce567') return decimals.has(to) ? word(decimals.get(to) ?? 0n) : undefined
    const token = fed.find((each) => feedOf(each) === to)
    return data === '0x245a7bfc' && token !== undefined
      ? word(BigInt(aggregatorOf(token)))
      : undefined
  })
  const declaration =
    'event AnswerUpdated(int256 indexed current, uint256 indexed roundId, uint256 updatedAt)'
  return {
    chain,
    /** By stock; the chain announces no change. */
    multipliers,
    publishPrice: (token: Address, usd: number, block: BlockNumber): void => {
      const updatedAt = BigInt(blockTs(block))
      const args = { current: BigInt(Math.round(usd * 1e8)), roundId: updatedAt, updatedAt }
      chain.emit(logOf(aggregatorOf(token), declaration, args))
    },
  }
}

export type SampleWorld = ReturnType<typeof createSampleWorld>

const specs = [
  { version: 'v4', token0: tokens.usdg, token1: tokens.apple, root: 70_000n },
  { version: 'v3', token0: tokens.apple, token1: tokens.weth, root: 1n },
  { version: 'v4', token0: tokens.apple, token1: tokens.tesla, root: 1n },
  { version: 'v3', token0: tokens.apple, token1: tokens.meme, root: 30n },
  { version: 'v3', token0: tokens.usdg, token1: tokens.weth, root: 20_000n },
  { version: 'v4', token0: tokens.weth, token1: tokens.tesla, root: 3n },
] as const

const spacing = 60

/** Numbers that look like chance and are the same in every run. */
export const createRandom = (seed: number) => {
  let state = seed
  return (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** Lets so many things happen, spread over the blocks up to `last`, in six pools of every kind. */
export const simulateActivity = (
  { chain, publishPrice }: SampleWorld,
  span: { readonly from: BlockNumber; readonly to: BlockNumber; readonly acts: number },
  pools: SamplePool[],
  seed = 7,
): void => {
  const below = createRandom(seed)
  const stride = Math.floor((span.to - span.from) / span.acts)
  const rootOf = (at: number) => rootPrice(specs[at % specs.length]?.root ?? 1n)
  for (let act = 0; act < span.acts; act++) {
    const block = span.from + act * stride + below(Math.max(1, stride - 1))
    if (act % 20 === 0) {
      for (const token of fed)
        publishPrice(token, token === tokens.usdg ? 1 : 150 + below(9), block)
    }
    const at = below(specs.length)
    const spec = specs[pools.length]
    if (spec !== undefined && act % 12 === 0) {
      const { version, root, ...pair } = spec
      const pool = poolOf(chain.emit, version, pair)
      chain.deploy(pool)
      pool.create(rootPrice(root))
      const middle = Math.round(tickAtSqrtPrice(rootPrice(root)) / spacing)
      pool.mint((middle - 100) * spacing, (middle + 100) * spacing, 10n ** 20n)
      pools.push(pool)
    }
    const pool = pools[at]
    if (pool !== undefined) {
      if (below(4) > 0) pool.swapTo((rootOf(at) * BigInt(70 + below(80))) / 100n)
      else {
        const middle = Math.round(tickAtSqrtPrice(rootOf(at)) / spacing)
        const lower = (middle - 90 + below(80)) * spacing
        pool.mint(lower, lower + (1 + below(80)) * spacing, BigInt(1 + below(1000)) * 10n ** 15n)
      }
    }
    chain.mine(block)
  }
  chain.mine(span.to)
}

export type ManualIndexer = {
  readonly store: Store
  readonly parts: IndexerParts
  readonly progress: readonly SyncProgressWithEvents[]
  /** Steps until there is nothing to do but wait; false if a fault ended it. */
  readonly follow: (stepsMax?: number) => Promise<boolean>
  readonly backfill: (stepsMax?: number) => Promise<boolean>
  readonly list: (listing: StockListing) => void
}

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

export const openMemoryStore = (): Store => {
  const store = createSqliteStore({ path: ':memory:' })
  if (!store.ok) throw new Error(store.fault)
  return store.value
}

/** An indexer whose loops are turned by hand. */
export const startManualIndexer = async (
  chain: LongChain,
  options: {
    readonly store?: Store
    readonly stocks?: readonly StockListing[]
    readonly network?: Partial<IndexedNetwork>
    readonly quoteSources?: readonly QuoteSource[]
    readonly bootstrapBlocksMin: number
  },
): Promise<ManualIndexer> => {
  const { store = openMemoryStore(), bootstrapBlocksMin } = options
  const listings = [...(options.stocks ?? [apple, tesla])]
  const progress: SyncProgressWithEvents[] = []
  const deps: IndexerDeps = {
    network: {
      name: 'sample',
      chainId: 4663,
      venues: startingAt(origin, venues),
      origin,
      stateViewOf: () => stateView,
      contracts: [],
      reviewedHooks: new Map(),
      trusted: [
        { symbol: 'USDG', address: tokens.usdg, feed: feedOf(tokens.usdg) },
        { symbol: 'WETH', address: tokens.weth, feed: feedOf(tokens.weth) },
      ],
      stocks: [],
      standardOf: beaconStandard(null),
      ...options.network,
    },
    chain: chain.reader,
    store,
    clock: { now: () => blockTs(chain.node.head) },
    logger: silent,
    keccak256: keccak,
    sha256: (text) => `0x${createHash('sha256').update(text).digest('hex')}`,
    random: Math.random,
    policy: { ...policyDefault, confirmations: 5 },
    quoteSources: options.quoteSources ?? [],
    registry: { read: async () => ({ ok: true, value: listings }) },
    screener: null,
    readSenders: null,
    historyDays: 2,
    bootstrapBlocksMin,
    pollMs,
    onProgress: (step) => {
      progress.push(step)
    },
    onRefused: (reason) => {
      throw new Error(reason)
    },
  }
  await store.claim({ chainId: 4663, network: 'sample', originHash: null }, 0)
  const parts = composeIndexer(deps, await readStoredState(deps))
  await loadIndex(deps, parts)
  await waitForChain(deps, parts, 0)

  const turn = async (
    step: () => ReturnType<IndexerParts['realtimeStep']>,
    stepsMax: number,
  ): Promise<boolean> => {
    const ends: readonly (number | null)[] = [null, pollMs, backfillIdleWaitMs]
    for (let steps = 0; steps < stepsMax; steps++) {
      const { waitMs } = await step()
      if (ends.includes(waitMs)) return true
    }
    return false
  }
  return {
    store,
    parts,
    progress,
    follow: (stepsMax = 2000) =>
      turn(async () => {
        await parts.tokens.refresh()
        return parts.realtimeStep()
      }, stepsMax),
    backfill: (stepsMax = 2000) => turn(parts.backfillStep, stepsMax),
    list: (listing) => {
      listings.push(listing)
    },
  }
}

/** All rows that belong to pools, to be compared. */
export const rowsOf = (store: Store) =>
  store.snapshot(async (snapshot) => {
    const changed = await snapshot.poolsChangedAfter(-1)
    const pools = changed.toSorted((a, b) => a.number - b.number)
    const span = { fromTs: 0, toTs: 2_000_000_000 }
    const swaps = []
    const candles = []
    for (const { number: pool } of pools) {
      swaps.push(...(await snapshot.swaps({ pool, fromTs: 0, rowsMax: 100_000 })))
      for (const width of candleWidths) {
        candles.push(...(await snapshot.candles({ pool, width, ...span })).rows)
      }
    }
    const header = await snapshot.header()
    return { header, pools, swaps, candles }
  })

type Rows = Awaited<ReturnType<typeof rowsOf>>

/**
 * A backfill reads a swap before the one that made the price before it, so that its yield is that
 * of the path by the tick map: nearly the same, and none across a range without liquidity.
 */
export const withoutYields = (rows: Rows) => ({
  ...rows,
  swaps: rows.swaps.map(({ feeYield: _, ...swap }) => swap),
  candles: rows.candles.map(({ feeYield: _, ...candle }) => candle),
})

export const ticksOf = async (store: Store) => {
  const ticks = []
  for await (const tick of store.readTicks()) ticks.push(tick)
  return ticks
}
