import type { PoolNumber } from '../domain/pool/pool-state.ts'
import type { BlockNumber, Hash, UnixSeconds } from '../domain/units.ts'
import type { StoreSnapshot } from './store.ts'

/** Tables of rows with a time. */
export type DayTable = 'swaps' | 'liquidity_changes' | 'candles' | 'reference_points'

/**
 * One value for each column of the table, in the order of its record type, but for what liquidity
 * providers earned by a swap, which is in no file. Bytes and large integers
 * (two's complement) are hexadecimal digits of either case, flags 0 or 1: nothing is converted that
 * a file may not need.
 */
export type DayRow = readonly (string | number | null)[]

/** `fromTs` <= ts < `toTs`. */
export type DaySpan = {
  readonly fromTs: UnixSeconds
  readonly toTs: UnixSeconds
  /** Null: of all pools. Reference points ignore it. */
  readonly pools: readonly PoolNumber[] | null
}

/** One state of the store. */
export type DaySnapshot = Pick<
  StoreSnapshot,
  'header' | 'pools' | 'tokens' | 'stocksChangedAfter'
> & {
  /** In chain order; candles and points by pool or address, then width, then time. */
  readonly rows: (table: DayTable, span: DaySpan) => AsyncIterable<readonly DayRow[]>
  /**
   * Swaps of a day that candles of this width counted. Those of days stay when retention deletes
   * swaps and minutes.
   */
  readonly countSwaps: (span: DaySpan, candles: 'days' | 'minutes') => Promise<number>
  /** Whether retention has left the reference points of the span's minutes. */
  readonly hasMinutesOf: (span: DaySpan) => Promise<boolean>
  /** The earliest time of a row; null if there is none. */
  readonly firstTs: (table: DayTable) => Promise<UnixSeconds | null>
  /** Null if the block is not kept. */
  readonly blockHash: (block: BlockNumber) => Promise<Hash | null>
}

/** Reads a store by days while its indexer continues. */
export type DayStore = {
  readonly snapshot: <T>(use: (snapshot: DaySnapshot) => Promise<T>) => Promise<T>
  readonly close: () => Promise<void>
}
