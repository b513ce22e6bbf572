import type { BlockNumber, Hash, UnixSeconds } from '../../domain/units.ts'
import type { PoolView, SwapView } from '../../domain/views/pool.ts'

/** The block of a record as the service publishes it; the hash is null where it does not. */
export type RecordBlock = {
  readonly block: BlockNumber
  readonly hash: Hash | null
  readonly ts: UnixSeconds | null
}

/** What a service publishes of one pool at one block. */
export type PublishedRecord = {
  readonly at: RecordBlock
  /** The block that the record's time is of: of the past, the newest one whose time is kept. */
  readonly tsBlock: BlockNumber
  readonly row: PoolView
  /** Newest first. */
  readonly swaps: readonly SwapView[]
  /** From this block on `swaps` leaves none out. */
  readonly swapsFrom: BlockNumber
}
