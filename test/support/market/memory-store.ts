import type { BlockRef, TimedBlock } from '../../../src/domain/chain/block-ref.ts'
import type { EventPlace } from '../../../src/domain/pool/pool-event.ts'
import type {
  Candle,
  ReferencePoint,
  StoredLiquidityChange,
  StoredSwap,
  StoredTick,
} from '../../../src/domain/pool/stored-rows.ts'
import type { Quote } from '../../../src/domain/price/quote.ts'
import type { SourceRecord } from '../../../src/domain/status/source-state.ts'
import type { Stock } from '../../../src/domain/stock/stock.ts'
import type { StoreReader, StoreSnapshot } from '../../../src/ports/store.ts'
import type {
  ExternalReserve,
  IndexHeader,
  ReplacementRecord,
  StoredPool,
  StoredToken,
  VolumeSum,
} from '../../../src/ports/store-batches.ts'
import type { EventPageQuery } from '../../../src/ports/store-history.ts'
import { hexOf } from '../domain/sample-inputs.ts'
import { amountsOf, toTrade } from '../store/amounts.ts'
import { keptHoursOf } from '../store/kept-hours.ts'

/** Rows of one commit; they replace rows of the same key. */
export type Write = {
  readonly header?: Partial<Omit<IndexHeader, 'revision'>>
  readonly pools?: readonly StoredPool[]
  readonly ticks?: readonly StoredTick[]
  readonly tokens?: readonly StoredToken[]
  readonly stocks?: readonly Stock[]
  readonly quotes?: readonly Quote[]
  readonly reserves?: readonly ExternalReserve[]
  readonly sources?: readonly SourceRecord[]
  readonly swaps?: readonly StoredSwap[]
  readonly liquidity?: readonly StoredLiquidityChange[]
  readonly candles?: readonly Candle[]
  readonly references?: readonly ReferencePoint[]
}

type Revised<T> = { readonly row: T; readonly revision: number }
type Table<T> = ReadonlyMap<string, Revised<T>>

type Content = {
  readonly header: IndexHeader | null
  readonly pools: Table<StoredPool>
  readonly ticks: Table<StoredTick>
  readonly tokens: Table<StoredToken>
  readonly stocks: Table<Stock>
  readonly quotes: Table<Quote>
  readonly reserves: Table<ExternalReserve>
  readonly sources: Table<SourceRecord>
  readonly swaps: Table<StoredSwap>
  readonly liquidity: Table<StoredLiquidityChange>
  readonly candles: Table<Candle>
  readonly references: Table<ReferencePoint>
  /** Of all headers. */
  readonly blocks: Table<BlockRef>
  readonly replacements: Table<ReplacementRecord>
}

const keys = {
  pools: (row: StoredPool) => `${row.number}`,
  ticks: (row: StoredTick) => `${row.pool}:${row.tick}`,
  tokens: (row: StoredToken) => row.address,
  stocks: (row: Stock) => row.address,
  quotes: (row: Quote) => `${row.address}:${row.source}`,
  reserves: (row: ExternalReserve) => `${row.pool}:${row.source}`,
  sources: (row: SourceRecord) => row.source,
  swaps: (row: StoredSwap) => `${row.block}:${row.logIndex}`,
  liquidity: (row: StoredLiquidityChange) => `${row.block}:${row.logIndex}`,
  candles: (row: Candle) => `${row.pool}:${row.width}:${row.ts}`,
  references: (row: ReferencePoint) => `${row.address}:${row.width}:${row.ts}`,
  blocks: (row: BlockRef) => `${row.block}`,
  replacements: (row: ReplacementRecord) => `${row.epoch}`,
}

const empty: Content = {
  header: null,
  pools: new Map(),
  ticks: new Map(),
  tokens: new Map(),
  stocks: new Map(),
  quotes: new Map(),
  reserves: new Map(),
  sources: new Map(),
  swaps: new Map(),
  liquidity: new Map(),
  candles: new Map(),
  references: new Map(),
  blocks: new Map(),
  replacements: new Map(),
}

const firstHeader: IndexHeader = {
  revision: -1,
  epoch: 0,
  identity: { chainId: 4663, network: 'sample', originHash: hexOf(1, 32) },
  cursor: null,
  finalizedCursor: null,
  head: null,
  crossChecked: false,
  repairs: 0,
  progress: { phase: 'done', done: 1, total: 1 },
  backfillCursor: null,
  lastReplacement: null,
  enrichedTs: null,
  stocksReadTs: null,
  coverage: null,
  coveragePass: null,
  swapsKeptSince: null,
  writerStartedTs: null,
}

const listOf = <T>(row: T | null | undefined): readonly T[] =>
  row === null || row === undefined ? [] : [row]

const rowsOf = <T>(table: Table<T>): readonly T[] => [...table.values()].map(({ row }) => row)

const changedIn = <T>(table: Table<T>, after: number): readonly T[] =>
  [...table.values()].filter(({ revision }) => revision > after).map(({ row }) => row)

/** Recomputes the sums from the swaps. */
export const volumeOf = (swaps: readonly StoredSwap[]): readonly VolumeSum[] =>
  [...Map.groupBy(swaps, ({ pool }) => pool)]
    .sort(([a], [b]) => a - b)
    .map(([pool, group]) => ({
      pool,
      usdMicro: group.reduce((sum, { usdMicro }) => sum + BigInt(usdMicro ?? 0), 0n),
      swaps: group.length,
      unpriced: group.filter(({ usdMicro }) => usdMicro === null).length,
      estimated: group.filter(({ estimated }) => estimated).length,
      implausible: group.filter(({ implausible }) => implausible).length,
      feeYield: group.reduce((sum, { feeYield }) => sum + BigInt(feeYield ?? 0), 0n),
      yielded: group.filter(({ feeYield }) => feeYield !== null).length,
    }))

const rowsInRange = <T extends { readonly ts: number; readonly width: number }>(
  rows: readonly T[],
  span: { readonly width: number; readonly fromTs: number; readonly toTs: number },
) => {
  const own = rows.filter((row) => row.width === span.width).sort((a, b) => a.ts - b.ts)
  return {
    before: own.findLast((row) => row.ts < span.fromTs) ?? null,
    rows: own.filter((row) => row.ts >= span.fromTs && row.ts <= span.toTs),
  }
}

type Placed = { readonly block: number; readonly logIndex: number }

const newestFirst = (a: Placed, b: Placed): number => b.block - a.block || b.logIndex - a.logIndex

const pageOf = <Row extends EventPlace>(
  rows: readonly Row[],
  { after, fromTs, toTs, order, rowsMax }: EventPageQuery,
): readonly Row[] => {
  const compare = (a: EventPlace, b: EventPlace) =>
    (a.block - b.block || a.logIndex - b.logIndex) * (order === 'asc' ? 1 : -1)
  return rows
    .filter((row) => after === null || compare(row, after) > 0)
    .filter(({ ts }) => (fromTs === null || ts >= fromTs) && (toTs === null || ts <= toTs))
    .toSorted(compare)
    .slice(0, rowsMax)
}

/** Small, to get several pages. */
const pageRows = 2

const pagesIn = function* <Row>(rows: readonly Row[]): Generator<readonly Row[]> {
  for (let at = 0; at <= rows.length; at += pageRows) yield rows.slice(at, at + pageRows)
}

/** Newest first. */
const timedBlocksOf = ({ header, swaps, liquidity }: Content): readonly TimedBlock[] =>
  [...rowsOf(swaps), ...rowsOf(liquidity), ...listOf(header?.cursor)]
    .map(({ block, ts }) => ({ block, ts }))
    .toSorted((a, b) => b.block - a.block)

const snapshotOf = (content: Content): StoreSnapshot => ({
  header: async () => content.header,
  pools: async function* () {
    yield* pagesIn(rowsOf(content.pools).toSorted((a, b) => a.number - b.number))
  },
  tokens: async function* () {
    yield* pagesIn(rowsOf(content.tokens).toSorted((a, b) => (a.address < b.address ? -1 : 1)))
  },
  poolsChangedAfter: async (revision) => changedIn(content.pools, revision),
  tokensChangedAfter: async (revision) => changedIn(content.tokens, revision),
  poolsBetween: async ({ from, to }) =>
    rowsOf(content.pools)
      .filter(({ number }) => number >= from && number <= to)
      .toSorted((a, b) => a.number - b.number),
  poolsById: async ({ from, to }) =>
    rowsOf(content.pools)
      .filter(({ id }) => id >= from && id <= to)
      .toSorted((a, b) => (a.id < b.id ? -1 : 1)),
  tokensOfPools: async ({ from, to }) => {
    const held = new Set(
      rowsOf(content.pools)
        .filter(({ number }) => number >= from && number <= to)
        .flatMap(({ key }) => [key.token0, key.token1]),
    )
    return rowsOf(content.tokens).filter(({ address }) => held.has(address))
  },
  ticksOfPool: async (pool) =>
    rowsOf(content.ticks)
      .filter((tick) => tick.pool === pool)
      .toSorted((a, b) => a.tick - b.tick),
  stocksChangedAfter: async (revision) => changedIn(content.stocks, revision),
  quotes: async () => rowsOf(content.quotes),
  reserves: async () => rowsOf(content.reserves),
  sources: async () => rowsOf(content.sources),
  searches: async () => [],
  volume: async ({ afterTs, toTs, afterBlock }) =>
    volumeOf(
      rowsOf(content.swaps).filter(
        ({ ts, block }) => ts > afterTs && ts <= toTs && block > afterBlock,
      ),
    ),
  hourlyVolume: async ({ fromTs, toTs }) =>
    volumeOf(rowsOf(content.swaps).filter(({ ts }) => ts >= fromTs && ts < toTs)),
  candles: async (query) =>
    rowsInRange(
      rowsOf(content.candles).filter((row) => row.pool === query.pool),
      query,
    ),
  touchedPools: async ({ afterBlock, toBlock, rowsMax }) =>
    rowsOf(content.pools)
      .map(({ number, createdBlock }) => ({ pool: number, block: createdBlock }))
      .filter(({ block }) => block > afterBlock && block <= toBlock)
      .toSorted((a, b) => a.block - b.block)
      .slice(0, rowsMax),
  block: async (block) => content.blocks.get(`${block}`)?.row ?? null,
  replacementsAfter: async (epoch) =>
    rowsOf(content.replacements).filter((row) => row.epoch > epoch),
  references: async (query) =>
    rowsInRange(
      rowsOf(content.references).filter((row) => row.address === query.address),
      query,
    ),
  tradedCandles: async ({ pool, order, rowsMax, ...span }) => {
    const own = rowsOf(content.candles).filter((row) => row.pool === pool && row.swaps > 0)
    const { rows } = rowsInRange(own, span)
    return (order === 'asc' ? rows : rows.toReversed()).slice(0, rowsMax)
  },
  tradedSums: async ({ pools, order, rowsMax, ...span }) =>
    pools.flatMap((pool) => {
      const own = rowsOf(content.candles).filter((row) => row.pool === pool && row.swaps > 0)
      const { rows } = rowsInRange(own, span)
      return (order === 'asc' ? rows : rows.toReversed())
        .slice(0, rowsMax)
        .map(({ ts, usdMicro, swaps, unpriced }) => ({ pool, ts, usdMicro, swaps, unpriced }))
    }),
  keptHours: async ({ pools, toTs }) =>
    pools.map((pool) => {
      const own = rowsOf(content.candles).filter((row) => row.pool === pool && row.swaps > 0)
      return keptHoursOf(own, toTs)
    }),
  trades: async ({ pools, token, fromTs, toTs }) =>
    rowsOf(content.swaps)
      .filter(({ pool, ts }) => pools.includes(pool) && ts >= fromTs && ts < toTs)
      .map((swap) => toTrade(swap, token)),
  tradedAmounts: async ({ pool, fromTs, toTs, bucketSeconds, token, rowsMax }) => {
    const own = rowsOf(content.swaps)
      .filter((swap) => swap.pool === pool && swap.ts >= fromTs && swap.ts < toTs)
      .sort((a, b) => newestFirst(b, a))
      .slice(0, rowsMax)
    return amountsOf(own, { token, bucketSeconds })
  },
  swaps: async ({ pool, fromTs, toBlock = Number.POSITIVE_INFINITY, rowsMax }) =>
    rowsOf(content.swaps)
      .filter((swap) => swap.pool === pool && swap.ts >= fromTs && swap.block <= toBlock)
      .sort(newestFirst)
      .slice(0, rowsMax),
  liquidityPage: async () => [],
  liquidityOfBlocks: async () => [],
  ticksOfPools: async (pools) =>
    rowsOf(content.ticks)
      .filter(({ pool }) => pools.includes(pool))
      .toSorted((a, b) => a.pool - b.pool || a.tick - b.tick),
  changesOfPools: async () => [],
  firstSwaps: async ({ pools, fromBlock }) =>
    pools.flatMap((number) =>
      rowsOf(content.swaps)
        .filter(({ pool, block }) => pool === number && block >= fromBlock)
        .sort((a, b) => newestFirst(b, a))
        .slice(0, 1),
    ),
  firstWithoutTrader: async ({ fromTs, toBlock }) =>
    rowsOf(content.swaps)
      .filter(({ trader, ts, block }) => trader === null && ts >= fromTs && block <= toBlock)
      .map(({ block, ts }) => ({ block, ts }))
      .sort((a, b) => a.block - b.block)[0] ?? null,
  token: async (address) => content.tokens.get(address)?.row ?? null,
  swapPage: async ({ pool, ...query }) => {
    const own = rowsOf(content.swaps).filter((swap) => pool === null || swap.pool === pool)
    return pageOf(own, query)
  },
  searchSwaps: async ({ pool, filter, searchedMax, ...query }) => {
    const { pools, usdMicroMin, trader, sender } = filter
    const own = rowsOf(content.swaps).filter((swap) => pool === null || swap.pool === pool)
    return pageOf(own, { ...query, rowsMax: searchedMax })
      .map((swap, at) => ({ swap, place: at + 1 }))
      .filter(
        ({ swap, place }) =>
          place === searchedMax ||
          (pools?.includes(swap.pool) !== false &&
            (usdMicroMin === null || (swap.usdMicro ?? -1) >= usdMicroMin) &&
            (trader === null || swap.trader === trader) &&
            (sender === null || swap.sender === sender)),
      )
      .slice(0, query.rowsMax)
  },
  poolVolume: async ({ pool, fromTs, toTs, toBlock }) => {
    const [sum] = volumeOf(
      rowsOf(content.swaps).filter(
        (swap) =>
          swap.pool === pool && swap.ts >= fromTs && swap.ts < toTs && swap.block <= toBlock,
      ),
    )
    return sum ?? null
  },
  minuteVolume: async ({ pool, fromTs, toTs }) => {
    const [sum] = volumeOf(
      rowsOf(content.swaps).filter(
        (swap) => swap.pool === pool && swap.ts >= fromTs && swap.ts < toTs,
      ),
    )
    return sum ?? null
  },
  liquidityChanges: async ({ pool, after, rowsMax }) =>
    rowsOf(content.liquidity)
      .filter((change) => change.pool === pool && newestFirst(change, after) < 0)
      .sort((a, b) => newestFirst(b, a))
      .slice(0, rowsMax),
  timedBlock: async (block) => timedBlocksOf(content).find((timed) => timed.block <= block) ?? null,
  timedBlockUntil: async (ts) => timedBlocksOf(content).find((timed) => timed.ts <= ts) ?? null,
})

/** A store of immutable maps: a snapshot keeps the content of the time it was opened. */
export const createMemoryStore = () => {
  let content = empty
  let fault: Error | null = null
  let snapshots = 0

  const put = <T>(table: Table<T>, rows: readonly T[] | undefined, keyOf: (row: T) => string) => {
    if (rows === undefined || rows.length === 0) return table
    const revision = (content.header?.revision ?? firstHeader.revision) + 1
    return new Map([...table, ...rows.map((row) => [keyOf(row), { row, revision }] as const)])
  }

  const write = (rows: Write): void => {
    const header = content.header ?? firstHeader
    content = {
      header: { ...header, ...rows.header, revision: header.revision + 1 },
      pools: put(content.pools, rows.pools, keys.pools),
      ticks: put(content.ticks, rows.ticks, keys.ticks),
      tokens: put(content.tokens, rows.tokens, keys.tokens),
      stocks: put(content.stocks, rows.stocks, keys.stocks),
      quotes: put(content.quotes, rows.quotes, keys.quotes),
      reserves: put(content.reserves, rows.reserves, keys.reserves),
      sources: put(content.sources, rows.sources, keys.sources),
      swaps: put(content.swaps, rows.swaps, keys.swaps),
      liquidity: put(content.liquidity, rows.liquidity, keys.liquidity),
      candles: put(content.candles, rows.candles, keys.candles),
      references: put(content.references, rows.references, keys.references),
      blocks: put(content.blocks, listOf(rows.header?.cursor), keys.blocks),
      replacements: put(
        content.replacements,
        listOf(rows.header?.lastReplacement),
        keys.replacements,
      ),
    }
  }

  const reader: StoreReader = {
    snapshot: async (read) => {
      if (fault !== null) throw fault
      snapshots += 1
      return read(snapshotOf(content))
    },
  }

  return {
    ...reader,
    write,
    /** Empties the store, as before its first writer. */
    wipe: () => {
      content = empty
    },
    /** Removes all events, as a branch replacement does before it inserts. */
    forget: () => {
      content = { ...empty, header: content.header, tokens: content.tokens, stocks: content.stocks }
    },
    fail: (error: Error | null) => {
      fault = error
    },
    snapshots: () => snapshots,
  }
}

export type MemoryStore = ReturnType<typeof createMemoryStore>
