import type { SourceView } from '../domain/status/source-state.ts'
import type { PoolId } from '../domain/units.ts'
import type { PoolView, SwapView } from '../domain/views/pool.ts'
import type { StockView } from '../domain/views/stock.ts'

/** A swap and the pool that it happened in. */
export type SwapNews = SwapView & {
  readonly poolId: PoolId
  readonly stockSymbol: string
}

/** Events above this block no longer hold; null: none does. */
export type RollbackNews = { readonly afterBlock: number | null; readonly ts: number }

/** Too much has changed to be told one by one: everything should be asked anew. */
export type ResyncNews = { readonly reason: 'too_many_changes' | 'another_chain' | 'events_missed' }

/** One thing that has changed in the market. */
export type News =
  | { readonly topic: 'pool'; readonly data: PoolView; readonly about: About }
  | { readonly topic: 'swap'; readonly data: SwapNews; readonly about: About }
  | { readonly topic: 'stock'; readonly data: StockView; readonly about: About }
  | { readonly topic: 'source'; readonly data: SourceView; readonly about: null }
  | { readonly topic: 'rollback'; readonly data: RollbackNews; readonly about: null }
  | { readonly topic: 'resync'; readonly data: ResyncNews; readonly about: null }

/** What filters look at. */
export type About = {
  /** Tickers of the stocks that it concerns, upper case. */
  readonly symbols: readonly string[]
  readonly poolId: PoolId | null
}
