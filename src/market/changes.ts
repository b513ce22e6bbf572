import type { SourceView } from '../domain/status/source-state.ts'
import type { PoolId } from '../domain/units.ts'
import type { PoolView, SwapView } from '../domain/views/pool.ts'
import type { StockView } from '../domain/views/stock.ts'
import type { StreamPosition } from './stream-position.ts'

/** A swap with its pool. */
export type SwapChange = SwapView & {
  readonly poolId: PoolId
  readonly stockSymbol: string
}

/** Events above this block are no longer valid; null: no event is. */
export type RollbackChange = { readonly afterBlock: number | null; readonly ts: number }

/** Subscribers must refetch everything. */
export type ResyncChange = {
  readonly reason: 'too_many_changes' | 'another_chain' | 'events_missed'
}

type Change =
  | { readonly topic: 'pool'; readonly data: PoolView; readonly about: ChangeSubject }
  | { readonly topic: 'swap'; readonly data: SwapChange; readonly about: ChangeSubject }
  | { readonly topic: 'stock'; readonly data: StockView; readonly about: ChangeSubject }
  | { readonly topic: 'source'; readonly data: SourceView; readonly about: null }
  | { readonly topic: 'rollback'; readonly data: RollbackChange; readonly about: null }
  | { readonly topic: 'resync'; readonly data: ResyncChange; readonly about: null }

/** One change of a pool, swap, stock or source, or of the chain. */
export type ChangeEvent = Change & {
  /** Where it leaves a subscriber; absent: where all changes of its read of the store do. */
  readonly position?: StreamPosition | null
}

/** What subscriptions filter by. */
export type ChangeSubject = {
  /** Tickers of the pool's stocks, upper case. */
  readonly symbols: readonly string[]
  readonly poolId: PoolId | null
}

/**
 * `position`: where the changes leave a subscriber; none before the first block. `hasGap`: there
 * are too many swaps for events; the store has them, and the pools that changed with them.
 */
export type ChangeListener = (
  changes: readonly ChangeEvent[],
  position?: StreamPosition | null,
  hasGap?: boolean,
) => void

/** One step towards what a subscriber missed while it was away. */
export type MissedChanges =
  /** What follows its position; more follows `position` unless that is the one asked for. */
  | {
      readonly kind: 'changes'
      readonly events: readonly ChangeEvent[]
      readonly position: StreamPosition
    }
  /** The subscriber or the store is ahead of what was published: ask again after that. */
  | { readonly kind: 'early' }
  /** They are gone, too old, or of another store. */
  | { readonly kind: 'lost' }
