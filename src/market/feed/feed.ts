import type { TimedBlock } from '../../domain/chain/block-ref.ts'
import type { FeedEvent } from '../../domain/feed/feed-event.ts'
import type { Outcome } from '../../domain/outcome.ts'
import type { Address, BlockNumber, PoolId, UnixSeconds } from '../../domain/units.ts'
import type { HistoryPruned } from '../history.ts'

/* What aggregators read (docs/integrations.md): each settled block once, in order. */

/** A pool as events name it. It never changes. */
export type FeedPair = {
  readonly id: PoolId
  readonly token0: Address
  readonly token1: Address
  readonly decimals0: number
  readonly decimals1: number
  /** The name of its venue. */
  readonly venue: string
  /** Hundredths of a bip; null if it may change. */
  readonly fee: number | null
  readonly createdBlock: BlockNumber
  readonly createdTs: UnixSeconds
}

export type FeedAsset = {
  readonly address: Address
  readonly symbol: string
  readonly name: string
}

export type PairEvent = { readonly pair: FeedPair; readonly event: FeedEvent }

export type FeedRange = { readonly fromBlock: BlockNumber; readonly toBlock: BlockNumber }

/** Why blocks have no events yet, or no more. */
export type FeedFault =
  /** `last`: the last block that may be asked for; null: there is none yet. */
  | { readonly kind: 'not-announced'; readonly last: BlockNumber | null }
  | { readonly kind: 'too-many-events'; readonly eventsMax: number }
  /** Swaps of these blocks are being read. */
  | { readonly kind: 'incomplete' }
  | HistoryPruned

export type FeedQueries = {
  /** The newest block up to which all events may be asked for; null: none yet. */
  readonly feedBlock: () => Promise<TimedBlock | null>
  /** Events of these blocks, both included, in chain order. */
  readonly feedEvents: (range: FeedRange) => Promise<Outcome<readonly PairEvent[], FeedFault>>
  /** Null for an unknown pool, and while the decimals of a token are not known. */
  readonly feedPair: (id: PoolId) => Promise<FeedPair | null>
  /** Null for a token of no pool. */
  readonly feedAsset: (address: Address) => Promise<FeedAsset | null>
}
