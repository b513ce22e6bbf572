import type { SourceView } from '../domain/status/source-state.ts'
import type { PoolId } from '../domain/units.ts'
import type { PoolView, SwapView } from '../domain/views/pool.ts'
import type { StockView } from '../domain/views/stock.ts'

/** A swap and the pool that it happened in. */
export type SwapChange = SwapView & {
  readonly poolId: PoolId
  readonly stockSymbol: string
}

/** Events above this block no longer hold; null: none does. */
export type RollbackChange = { readonly afterBlock: number | null; readonly ts: number }

/** Too much has changed to be told one by one: everything should be asked anew. */
export type ResyncChange = {
  readonly reason: 'too_many_changes' | 'another_chain' | 'events_missed'
}

/** One thing that has changed in the market. */
export type ChangeEvent =
  | { readonly topic: 'pool'; readonly data: PoolView; readonly about: ChangeSubject }
  | { readonly topic: 'swap'; readonly data: SwapChange; readonly about: ChangeSubject }
  | { readonly topic: 'stock'; readonly data: StockView; readonly about: ChangeSubject }
  | { readonly topic: 'source'; readonly data: SourceView; readonly about: null }
  | { readonly topic: 'rollback'; readonly data: RollbackChange; readonly about: null }
  | { readonly topic: 'resync'; readonly data: ResyncChange; readonly about: null }

/** What filters look at. */
export type ChangeSubject = {
  /** Tickers of the stocks that it concerns, upper case. */
  readonly symbols: readonly string[]
  readonly poolId: PoolId | null
}
