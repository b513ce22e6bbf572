import type { PoolNumber } from '../../domain/pool/pool-state.ts'
import type { Quote } from '../../domain/price/quote.ts'
import type { SourceRecord } from '../../domain/status/source-state.ts'
import type { Stock } from '../../domain/stock/stock.ts'
import type { Address, PoolId } from '../../domain/units.ts'
import type {
  ExternalReserve,
  IndexHeader,
  StoredPool,
  StoredToken,
} from '../../ports/store-batches.ts'
import type { VolumeChange } from '../sync/volume-delta.ts'
import type { PoolTable } from './chunked-table.ts'
import type { ListedPool } from './model-pool.ts'

/** A trusted quote token by its registered name. */

/** The store as of one revision, as the API needs it. Never changed, only followed by the next. */
export type ReadModel = {
  readonly header: IndexHeader
  /** Of the pools that are listed. */
  readonly pools: PoolTable<ListedPool>
  readonly stocks: ReadonlyMap<Address, Stock>
  readonly quotes: ReadonlyMap<Address, readonly Quote[]>
  readonly sources: readonly SourceRecord[]
  /** May name pools that a later revision brought: `pools` decides what there is. */
  readonly numberOf: (id: PoolId) => PoolNumber | undefined
  /** Numbers of the pools that hold this token, by the same rule. */
  readonly numbersWith: (address: Address) => readonly PoolNumber[]
}

/** Rows in any number of parts, each read when the one before has been taken in. */
export type Pages<Row> = AsyncIterable<readonly Row[]> | readonly (readonly Row[])[]

/** What the store says has changed since a revision; what is not told stands. */
export type StoreChanges = {
  readonly header: IndexHeader
  readonly pools: Pages<StoredPool>
  readonly tokens: Pages<StoredToken>
  readonly stocks: readonly Stock[]
  /** All there are, not only the changed ones; so are reserves and sources. */
  readonly quotes: readonly Quote[]
  readonly reserves: readonly ExternalReserve[]
  readonly sources: readonly SourceRecord[]
  readonly volume: VolumeChange
}
