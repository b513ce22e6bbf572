import type { SourceView } from '../domain/status/source-state.ts'
import type { PoolId } from '../domain/units.ts'
import type { PoolView, SwapView } from '../domain/views/pool.ts'
import type { StockView } from '../domain/views/stock.ts'

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

/** One change of a pool, swap, stock or source, or of the chain. */
export type ChangeEvent =
  | { readonly topic: 'pool'; readonly data: PoolView; readonly about: ChangeSubject }
  | { readonly topic: 'swap'; readonly data: SwapChange; readonly about: ChangeSubject }
  | { readonly topic: 'stock'; readonly data: StockView; readonly about: ChangeSubject }
  | { readonly topic: 'source'; readonly data: SourceView; readonly about: null }
  | { readonly topic: 'rollback'; readonly data: RollbackChange; readonly about: null }
  | { readonly topic: 'resync'; readonly data: ResyncChange; readonly about: null }

/** What subscriptions filter by. */
export type ChangeSubject = {
  /** Tickers of the pool's stocks, upper case. */
  readonly symbols: readonly string[]
  readonly poolId: PoolId | null
}
