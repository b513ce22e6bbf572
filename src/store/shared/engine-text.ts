/* What queries of both engines are put together from. */

/** What the engines word differently. */
export type EngineText = {
  /** The condition of the swaps that the index by time has. */
  readonly timed: string
  /** The hex digits of bytes. */
  readonly hex: (column: string) => string
  /** Joins the texts of a group, in the order of its rows. */
  readonly join: (text: string, mark: string) => string
  /** The columns by which an index finds the swaps of all pools in chain order. */
  readonly chainOrder: readonly string[]
  /** The first place of a text in another one, from 1; 0: none. */
  readonly placeOf: (text: string, part: string) => string
  /** Runs a query of one pool for each of several; `select` gets that pool. See `ofPools`. */
  readonly eachPool: (select: (pool: string) => string) => string
}

/** Behind every block, in both engines. */
const noBlockAbove = Number.MAX_SAFE_INTEGER

/** The block before the swaps from a time on; `timed`: the condition of the index by time. */
export const blockBefore = (timed: string): string => `COALESCE((SELECT block FROM swaps
      WHERE ${timed} AND ts < ? ORDER BY ts DESC LIMIT 1), -1)`

/** The block of the first swap from a time on. */
export const blockFrom = (timed: string): string => `COALESCE((SELECT block FROM swaps
      WHERE ${timed} AND ts >= ? ORDER BY ts LIMIT 1), ${noBlockAbove})`
