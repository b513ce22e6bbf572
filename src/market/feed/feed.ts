import type { TimedBlock } from '../../domain/chain/block-ref.ts'
import type { FeedEvent } from '../../domain/feed/feed-event.ts'
import type { OrderBook } from '../../domain/feed/order-book.ts'
import type { Outcome } from '../../domain/outcome.ts'
import type { Address, BlockNumber, PoolId, UnixSeconds } from '../../domain/units.ts'
import type { PoolView } from '../../domain/views/pool.ts'
import type { HistoryPruned } from '../history.ts'
import type { PageQuery } from '../page-query.ts'

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

/** An active pool with what its price is net of fee for an infinitesimal trade. */
export type FeedTicker = {
  readonly pool: PoolView
  /** Other tokens per stock token; null where no swap can be simulated or the fee is not known. */
  readonly bid: number | null
  readonly ask: number | null
}

export type FeedQueries = {
  /** Active pools whose price is known, the most liquid first. */
  readonly feedTickers: (page: PageQuery) => Promise<readonly FeedTicker[]>
  /** Of so many orders a side; null for an unknown pool. */
  readonly orderBook: (id: PoolId, orders: number) => Promise<OrderBook | null>
  /** The newest block up to which all events may be asked for; null: none yet. */
  readonly feedBlock: () => Promise<TimedBlock | null>
  /** Events of these blocks, both included, in chain order. */
  readonly feedEvents: (range: FeedRange) => Promise<Outcome<readonly PairEvent[], FeedFault>>
  /** Null for an unknown pool, and while the decimals of a token are not known. */
  readonly feedPair: (id: PoolId) => Promise<FeedPair | null>
  /** Null for a token of no pool. */
  readonly feedAsset: (address: Address) => Promise<FeedAsset | null>
}
