import type { QuoteSourceId } from '../price/quote.ts'
import { secondsPerDay, secondsPerHour, secondsPerMinute } from '../time.ts'
import type { Address, BlockNumber, Hash, UnixSeconds } from '../units.ts'
import type { PoolNumber } from './pool-state.ts'

/** The unit of all kept dollar volumes: whole numbers of it sum exactly, in any order. */
export const microPerUsd = 1_000_000

/** The most that a kept volume says, about nine billion dollars: beyond it sums are not exact. */
export const usdMicroMax = Number.MAX_SAFE_INTEGER

/**
 * The sum of two kept volumes, which ends at `usdMicroMax`: a pool may fake any volume within one
 * flash transaction. In whatever order and parts a bucket is summed up, the end is the same.
 */
export const addUsdMicro = (one: number, other: number): number =>
  Math.min(usdMicroMax, one + other)

/** A swap as it is kept: raw and signed as the pool sees it, with its frozen dollar volume. */
export type StoredSwap = {
  readonly pool: PoolNumber
  readonly block: BlockNumber
  readonly logIndex: number
  readonly ts: UnixSeconds
  readonly txHash: Hash
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
  /** Priced by the nearest reference known instead of that of its own time. */
  readonly estimated: boolean
}

/** A change of a pool's liquidity map as it is kept. */
export type StoredLiquidityChange = {
  readonly pool: PoolNumber
  readonly block: BlockNumber
  readonly logIndex: number
  readonly ts: UnixSeconds
  readonly txHash: Hash
  readonly tickLower: number
  readonly tickUpper: number
  readonly liquidityDelta: bigint
}

/** One tick of a liquidity map after a batch; gross 0 means that the tick is gone. */
export type StoredTick = {
  readonly pool: PoolNumber
  readonly tick: number
  readonly net: bigint
  readonly gross: bigint
}

/** The widths at which candles are kept, in seconds: a minute, an hour, a day. */
export const candleWidths = [secondsPerMinute, secondsPerHour, secondsPerDay] as const
export type CandleWidth = (typeof candleWidths)[number]

/**
 * What happened to a pool in one bucket. Prices are raw ratios (smallest units of token1 per
 * smallest unit of token0) so that nothing here depends on decimals or on which side the stock is.
 * A bucket without a swap (created, or liquidity moved) holds the price that stood: open, high, low
 * and close alike; merged with one that has swaps, only its reserves count.
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
  /**
   * Sum over the priced swaps, as `addUsdMicro` adds; the bucket's volume is unknown when
   * `unpriced` > 0.
   */
  readonly usdMicro: number
  readonly swaps: number
  readonly unpriced: number
  readonly estimated: number
  /** Reserves at the close in smallest units, approximated; null when unknown. */
  readonly reserve0: number | null
  readonly reserve1: number | null
}

/** The reference price of a token (US dollars per token) at the close of one bucket. */
export type ReferencePoint = {
  readonly address: Address
  readonly width: CandleWidth
  readonly ts: UnixSeconds
  readonly usd: number
  readonly source: QuoteSourceId
}
