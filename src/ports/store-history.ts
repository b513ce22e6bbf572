import type { TimedBlock } from '../domain/chain/block-ref.ts'
import type { Trade, TradedAmount } from '../domain/history/trades.ts'
import type { EventPlace } from '../domain/pool/pool-event.ts'
import type { PoolNumber } from '../domain/pool/pool-state.ts'
import type {
  Candle,
  CandleWidth,
  PlacedChange,
  PricedLiquidityChange,
  StoredSwap,
  StoredTick,
  TradedSum,
} from '../domain/pool/stored-rows.ts'
import type { Address, BlockNumber, UnixSeconds } from '../domain/units.ts'
import type { HistoryOrder } from '../domain/views/history.ts'
import type { StoredToken, VolumeSum } from './store-batches.ts'

/** A part of the events of the chain, in their order or the opposite one. */
export type EventPageQuery = {
  /** The first rows behind this place in the order of the query, which need not be stored. */
  readonly after: EventPlace | null
  /** Both ends included. */
  readonly fromTs: UnixSeconds | null
  readonly toTs: UnixSeconds | null
  readonly order: HistoryOrder
  readonly rowsMax: number
}

/** What the swaps of a search have in common; null: anything. */
export type StoredSwapFilter = {
  readonly pools: readonly PoolNumber[] | null
  readonly usdMicroMin: number | null
  readonly trader: Address | null
  readonly sender: Address | null
}

/** A swap, and its number among those that were searched, from 1. */
export type FoundSwap = { readonly swap: StoredSwap; readonly place: number }

export type TouchedPool = { readonly block: BlockNumber; readonly pool: PoolNumber }

/** An hour, and how many swaps are in it. */
type CountedHour = { readonly ts: UnixSeconds; readonly swaps: number }

/** Of one pool, up to a time: retention deletes minutes, oldest first, and no hours. */
export type KeptHours = {
  /** The first hour of which minutes with swaps are left, and the swaps in those. */
  readonly minutes: CountedHour | null
  /** The last hour up to that one, or up to the time, and the one before. */
  readonly last: CountedHour | null
  readonly before: CountedHour | null
}

/** The reads of a snapshot that lists and records of the past are made of. */
export type HistoryReads = {
  /** At most `rowsMax` candles with swaps, `fromTs` <= ts <= `toTs`, in this order. */
  readonly tradedCandles: (query: {
    readonly pool: PoolNumber
    readonly width: CandleWidth
    readonly fromTs: UnixSeconds
    readonly toTs: UnixSeconds
    readonly order: HistoryOrder
    readonly rowsMax: number
  }) => Promise<readonly Candle[]>
  /** The same of each of these pools, without what their sums lack. */
  readonly tradedSums: (query: {
    readonly pools: readonly PoolNumber[]
    readonly width: CandleWidth
    readonly fromTs: UnixSeconds
    readonly toTs: UnixSeconds
    readonly order: HistoryOrder
    /** Of each pool. */
    readonly rowsMax: number
  }) => Promise<readonly TradedSum[]>
  /** What the candles of these pools up to a time show of deleted minutes, in the same order. */
  readonly keptHours: (query: {
    readonly pools: readonly PoolNumber[]
    readonly toTs: UnixSeconds
  }) => Promise<readonly KeptHours[]>
  /** Swaps of these pools with `fromTs` <= ts < `toTs`, in any order. */
  readonly trades: (query: {
    readonly pools: readonly PoolNumber[]
    /** The token that is read of them. */
    readonly token: 0 | 1
    readonly fromTs: UnixSeconds
    readonly toTs: UnixSeconds
  }) => Promise<readonly Trade[]>
  /**
   * Swaps of a pool added up by bucket, oldest first: of many, the rows cost more than the sums.
   * The first `rowsMax` of them in chain order. `token`: the side of the pool that is added up.
   */
  readonly tradedAmounts: (query: {
    readonly pool: PoolNumber
    readonly fromTs: UnixSeconds
    readonly toTs: UnixSeconds
    readonly bucketSeconds: number
    readonly token: 0 | 1
    readonly rowsMax: number
  }) => Promise<readonly TradedAmount[]>
  /** Newest first; in blocks <= `toBlock`, if that is given. */
  readonly swaps: (query: {
    readonly pool: PoolNumber
    readonly fromTs: UnixSeconds
    readonly toBlock?: BlockNumber
    readonly rowsMax: number
  }) => Promise<readonly StoredSwap[]>
  /** Volume of a pool's swaps with `fromTs` <= ts < `toTs` in blocks <= `toBlock`; null: none. */
  readonly poolVolume: (span: {
    readonly pool: PoolNumber
    readonly fromTs: UnixSeconds
    readonly toTs: UnixSeconds
    readonly toBlock: BlockNumber
  }) => Promise<VolumeSum | null>
  /** The same of complete minutes, `fromTs` <= ts < `toTs`, from their candles: sooner. */
  readonly minuteVolume: (span: {
    readonly pool: PoolNumber
    readonly fromTs: UnixSeconds
    readonly toTs: UnixSeconds
  }) => Promise<VolumeSum | null>
  /** Changes of a pool's tick map after this place, in chain order. */
  readonly liquidityChanges: (query: {
    readonly pool: PoolNumber
    readonly after: { readonly block: BlockNumber; readonly logIndex: number }
    readonly rowsMax: number
  }) => Promise<readonly PlacedChange[]>
  /** The newest block at or below this one of which any row holds the time; null: none. */
  readonly timedBlock: (block: BlockNumber) => Promise<TimedBlock | null>
  /** The same up to a time. */
  readonly timedBlockUntil: (ts: UnixSeconds) => Promise<TimedBlock | null>
  /** Swaps of one pool (null: of all), found by index wherever they lie. */
  readonly swapPage: (
    query: EventPageQuery & { readonly pool: PoolNumber | null },
  ) => Promise<readonly StoredSwap[]>
  /**
   * Searches the first `searchedMax` of these swaps. The last one of so many is returned whether it
   * is wanted or not.
   */
  readonly searchSwaps: (
    query: EventPageQuery & {
      readonly pool: PoolNumber | null
      readonly filter: StoredSwapFilter
      readonly searchedMax: number
    },
  ) => Promise<readonly FoundSwap[]>
  /** Pools that were created or whose liquidity changed in blocks of this range, by block. */
  readonly touchedPools: (query: {
    readonly afterBlock: BlockNumber
    readonly toBlock: BlockNumber
    readonly rowsMax: number
  }) => Promise<readonly TouchedPool[]>
  /** Changes of liquidity of all pools in these blocks and the prices before, in chain order. */
  readonly liquidityOfBlocks: (query: {
    readonly fromBlock: BlockNumber
    readonly toBlock: BlockNumber
    readonly rowsMax: number
  }) => Promise<readonly PricedLiquidityChange[]>
  /** The tick maps of these pools, each by tick. */
  readonly ticksOfPools: (pools: readonly PoolNumber[]) => Promise<readonly StoredTick[]>
  /** Changes of these pools' liquidity from a block on, of each pool in chain order. */
  readonly changesOfPools: (query: {
    readonly pools: readonly PoolNumber[]
    readonly fromBlock: BlockNumber
    /** Of each pool. */
    readonly rowsMax: number
  }) => Promise<readonly (PlacedChange & { readonly pool: PoolNumber })[]>
  /** The first swap of each of these pools from a block on. */
  readonly firstSwaps: (query: {
    readonly pools: readonly PoolNumber[]
    readonly fromBlock: BlockNumber
  }) => Promise<readonly StoredSwap[]>
  /** The block of the first swap since a time whose trader is not known; null: there is none. */
  readonly firstWithoutTrader: (query: {
    readonly fromTs: UnixSeconds
    readonly toBlock: BlockNumber
  }) => Promise<TimedBlock | null>
  readonly token: (address: Address) => Promise<StoredToken | null>
  /** Changes of a pool's liquidity and the prices before, found as `swapPage` finds swaps. */
  readonly liquidityPage: (
    query: EventPageQuery & { readonly pool: PoolNumber },
  ) => Promise<readonly PricedLiquidityChange[]>
}
