import type { ChainLog } from '../domain/chain/log.ts'
import type { IngestResult } from '../domain/ingest/ingest-logs.ts'
import type { PoolSet } from '../domain/pool/pool-set.ts'
import type { PoolIdentity, PoolNumber } from '../domain/pool/pool-state.ts'
import type { TrackedPool } from '../domain/pool/tracked-pool.ts'

/** Arguments of the listeners of each event. */
type EventArguments = {
  /** Emitted before pools are added, so that a new subscriber of the set sees all of them. */
  readonly poolSetCreated: readonly [pools: PoolSet]
  /** A pool was loaded from the store, or added with its backfilled history. */
  readonly poolLoaded: readonly [pool: TrackedPool]
  /** Depths of a store that had none were stored. */
  readonly depthsRecorded: readonly [done: number, total: number]
  /** Creation logs of pools that are not in the index yet. */
  readonly poolsDiscovered: readonly [pools: readonly PoolIdentity[]]
  /** A range or branch was committed; of its logs only those about stocks are still in memory. */
  readonly rangeIngested: readonly [ingested: IngestResult, stockLogs: readonly ChainLog[]]
  /** Stored events were deleted; `rangeIngested` with the new branch follows. */
  readonly branchReplaced: readonly []
  /** The index was emptied and loaded again. */
  readonly indexReset: readonly []
  /** A pool disagrees with its contract or its own swaps. */
  readonly poolMismatched: readonly [pool: PoolNumber]
}

type EventName = keyof EventArguments
type Listener<Name extends EventName> = (...received: EventArguments[Name]) => void

export type IndexerEvents = {
  readonly on: <Name extends EventName>(name: Name, listener: Listener<Name>) => void
  /** Calls the listeners synchronously, in the order of their subscription. */
  readonly emit: <Name extends EventName>(name: Name, ...sent: EventArguments[Name]) => void
}

export const createIndexerEvents = (): IndexerEvents => {
  const listeners: { readonly [Name in EventName]: Listener<Name>[] } = {
    poolSetCreated: [],
    poolLoaded: [],
    depthsRecorded: [],
    poolsDiscovered: [],
    rangeIngested: [],
    branchReplaced: [],
    indexReset: [],
    poolMismatched: [],
  }
  return {
    on: (name, listener) => {
      listeners[name].push(listener)
    },
    emit: (name, ...sent) => {
      for (const listener of listeners[name]) listener(...sent)
    },
  }
}
