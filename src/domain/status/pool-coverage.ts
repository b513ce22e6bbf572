import type { UnixSeconds } from '../units.ts'

/** The result of the last complete coverage audit (methodology §7). */
export type PoolCoverage = {
  readonly checkedTs: UnixSeconds
  /** Pools that the v3 factories have, of stocks with trusted tokens. */
  readonly checked: number
  /** Those of them that the index lacks. */
  readonly missing: number
}
