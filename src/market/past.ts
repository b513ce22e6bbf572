import type { TimedBlock } from '../domain/chain/block-ref.ts'
import type { BlockNumber, UnixSeconds } from '../domain/units.ts'
import type { HistoryPruned } from './history.ts'

/** A block, or the last block whose time is at most `ts`. */
export type AskedMoment = { readonly block: BlockNumber } | { readonly ts: UnixSeconds }

/** Why a pool has no record of a block. */
export type PoolAtFault =
  /** It is after the cursor; null: no block is indexed yet. */
  | { readonly kind: 'not-indexed'; readonly last: TimedBlock | null }
  | { readonly kind: 'not-created'; readonly created: TimedBlock }
  | HistoryPruned
