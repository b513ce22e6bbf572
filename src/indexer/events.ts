import type { ChainLog } from '../domain/chain/log.ts'
import type { IngestResult } from '../domain/ingest/ingest-logs.ts'
import type { PoolSet } from '../domain/pool/pool-set.ts'
import type { PoolIdentity, PoolNumber } from '../domain/pool/pool-state.ts'
import type { TrackedPool } from '../domain/pool/tracked-pool.ts'

/** What happens in the indexer, and what each listener receives. */
type EventArguments = {
  /** A new pool set is open, before its pools are put: a watch that begins now sees all of them. */
  readonly poolSetOpened: readonly [pools: PoolSet]
  /** A pool came from the store, or was added to it with its past. */
  readonly poolLoaded: readonly [pool: TrackedPool]
  /** Pools were found by their creation; they are not in the index yet. */
  readonly poolsDiscovered: readonly [pools: readonly PoolIdentity[]]
  /** A range or a new branch is in the store; only the logs about stocks are kept until then. */
  readonly rangeIngested: readonly [ingested: IngestResult, stockLogs: readonly ChainLog[]]
  /** Stored events were deleted; what the new branch holds follows as an ingested range. */
  readonly branchReplaced: readonly []
  /** The index was emptied and loaded again. */
  readonly indexReset: readonly []
  /** A pool contradicts the chain or its own swaps. */
  readonly poolContradicted: readonly [pool: PoolNumber]
}

type EventName = keyof EventArguments
type Listeners = {
  readonly [Name in EventName]: ((...received: EventArguments[Name]) => void)[]
}

export type IndexerEvents = {
  readonly on: <Name extends EventName>(name: Name, listener: Listeners[Name][number]) => void
  /** Calls the listeners at once, in the order in which they came. */
  readonly emit: <Name extends EventName>(name: Name, ...sent: EventArguments[Name]) => void
}

export const createIndexerEvents = (): IndexerEvents => {
  const listeners: Listeners = {
    poolSetOpened: [],
    poolLoaded: [],
    poolsDiscovered: [],
    rangeIngested: [],
    branchReplaced: [],
    indexReset: [],
    poolContradicted: [],
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
