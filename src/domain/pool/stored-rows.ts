import type { QuoteSourceId } from '../price/quote.ts'
import { secondsPerDay, secondsPerHour, secondsPerMinute } from '../time.ts'
import type { Address, BlockNumber, Hash, UnixSeconds } from '../units.ts'
import type { PositionKey } from './pool-event.ts'
import type { PoolNumber } from './pool-state.ts'

/** Stored volumes are integers in this unit, so sums are exact in any order. */
export const microPerUsd = 1_000_000

/**
 * Maximum of one swap's and one candle's stored volume, about nine billion dollars: larger numbers
 * are not exact.
 */
export const usdMicroMax = Number.MAX_SAFE_INTEGER

/**
 * Adds two stored volumes and saturates at `usdMicroMax`: a pool can fake any volume in one flash
 * transaction. The result does not depend on the order.
 */
export const addUsdMicro = (one: number, other: number): number =>
  Math.min(usdMicroMax, one + other)

/** Largest log index that a store can hold, or be asked for. */
export const logIndexMax = 2 ** 31 - 1

/** A stored swap: raw amounts signed from the pool's side, and its frozen dollar volume. */
export type StoredSwap = {
  readonly pool: PoolNumber
  readonly block: BlockNumber
  readonly logIndex: number
  readonly ts: UnixSeconds
  readonly txHash: Hash
  /** Null in rows of a version that did not keep it. */
  readonly txIndex: number | null
  readonly amount0: bigint
  readonly amount1: bigint
  readonly sqrtPriceX96: bigint
  readonly liquidity: bigint
  readonly tick: number
  readonly fee: number | null
  readonly sender: Address
  readonly recipient: Address | null
  /**
   * Volume in millionths of a dollar (an integer, so sums are exact and need no order), priced
   * once at the swap's own time (methodology §5); null when it could not be priced.
   */
  readonly usdMicro: number | null
  /** Priced by the nearest known reference instead of that of its own time. */
  readonly estimated: boolean
  /** Worth more than its pool's holdings make plausible (methodology §5). */
  readonly implausible: boolean
  /**
   * The part of the input that went to liquidity providers, in `lpFeeParts`; null if it is not
   * known, and in rows of a version that did not keep it.
   */
  readonly lpFee: number | null
  /** What a dollar in range earned by it, in `feeYieldParts` (methodology §14); null as above. */
  readonly feeYield: number | null
  /** Sender of the transaction; null until it is read, which is after the swap is stored. */
  readonly trader: Address | null
}

/** A stored change of a pool's tick map. */
export type StoredLiquidityChange = PositionKey & {
  readonly pool: PoolNumber
  readonly block: BlockNumber
  readonly logIndex: number
  readonly ts: UnixSeconds
  readonly txHash: Hash
  /** Null in rows of a version that did not keep it. */
  readonly txIndex: number | null
  readonly tickLower: number
  readonly tickUpper: number
  readonly liquidityDelta: bigint
}

/** A change with the price of the pool's last stored swap before it. */
export type PricedLiquidityChange = StoredLiquidityChange & {
  readonly sqrtPriceX96: bigint | null
}

/** One tick of a tick map after a batch; gross 0 deletes the tick. */
export type StoredTick = {
  readonly pool: PoolNumber
  readonly tick: number
  readonly net: bigint
  readonly gross: bigint
}

/** Widths of stored candles in seconds: a minute, an hour, a day. */
export const candleWidths = [secondsPerMinute, secondsPerHour, secondsPerDay] as const
export type CandleWidth = (typeof candleWidths)[number]

/**
 * One candle of a pool. Prices are raw ratios (smallest units of token1 per smallest unit of
 * token0), independent of decimals and of the stock's side. A candle without a swap holds the
 * current price as open, high, low and close; merged with one that has swaps, only its reserves
 * count.
 */
export type Candle = {
  readonly pool: PoolNumber
  readonly width: CandleWidth
  /** Start of the bucket, a multiple of `width`. */
  readonly ts: UnixSeconds
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  /** Sum of the priced swaps (`addUsdMicro`); the volume is unknown when `unpriced` > 0. */
  readonly usdMicro: number
  readonly swaps: number
  readonly unpriced: number
  readonly estimated: number
  readonly implausible: number
  /** Sum of the yields of the swaps (`addUsdMicro`); unknown unless `yielded` is `swaps`. */
  readonly feeYield: number
  /** Swaps whose yield is known. */
  readonly yielded: number
  /** Reserves at the close in smallest units, approximated; null when unknown. */
  readonly reserve0: number | null
  readonly reserve1: number | null
}

/** What the tick map of a past block is derived from. */
export type PlacedChange = Pick<
  StoredLiquidityChange,
  'block' | 'logIndex' | 'tickLower' | 'tickUpper' | 'liquidityDelta'
>

/** What the candles of several pools are added up from. */
export type TradedSum = Pick<Candle, 'pool' | 'ts' | 'usdMicro' | 'swaps' | 'unpriced'>

/** The reference price of a token (US dollars per token) at the close of one bucket. */
export type ReferencePoint = {
  readonly address: Address
  readonly width: CandleWidth
  readonly ts: UnixSeconds
  readonly usd: number
  readonly source: QuoteSourceId
}
