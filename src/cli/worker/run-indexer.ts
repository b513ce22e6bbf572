import type { Config } from '../../config/config.ts'
import { failure, type Outcome, success } from '../../domain/outcome.ts'
import { policyDefault } from '../../domain/status/freshness.ts'
import type { IndexerDeps } from '../../indexer/deps.ts'
import { startIndexer } from '../../indexer/index.ts'
import type { Clock, Logger } from '../../ports/runtime.ts'
import type { Store } from '../../ports/store.ts'
import type { RpcChainReader } from '../../rpc/chain-reader.ts'
import { createAdapters } from '../compose/adapters.ts'
import { toIndexedNetwork } from '../compose/network.ts'
import { openStore } from '../compose/open-store.ts'

export type OpenIndexer = {
  readonly store: Store
  readonly endpoints: RpcChainReader['endpoints']
  /** Ends the loops, then the store. */
  readonly close: () => Promise<void>
}

type OpenOptions = {
  /** The generation of the lease that it writes under; null where the store has none. */
  readonly leaseGeneration?: number | null
  /** Puts something between the index and its store. */
  readonly wrap?: (store: Store) => Store
}

export type IndexerHost = Pick<IndexerDeps, 'logger' | 'onProgress' | 'onRefused'> & {
  readonly clock: Clock
}

/** Starts the index on a store, which it closes at its end. */
const startOn = async (
  store: Store,
  config: Config,
  outside: IndexerHost,
): Promise<Omit<OpenIndexer, 'store'>> => {
  const stopping = new AbortController()
  const { signal } = stopping
  // What our own stop cuts off is no failure of its source, and nothing to warn of.
  const recordSource: Store['recordSource'] = async (record) => {
    if (!signal.aborted) await store.recordSource(record)
  }
  const warn: Logger['warn'] = (message, fields) => {
    if (!signal.aborted) outside.logger.warn(message, fields)
  }
  const logger = { ...outside.logger, warn }
  const adapters = createAdapters(config, { logger, signal })
  const indexer = await startIndexer({
    ...outside,
    ...adapters,
    logger,
    network: toIndexedNetwork(config),
    store: { ...store, recordSource },
    policy: { ...policyDefault, confirmations: config.confirmations },
    historyDays: config.historyDays,
    pollMs: config.pollMs,
  })
  return {
    endpoints: adapters.chain.endpoints,
    close: async () => {
      stopping.abort()
      await indexer.stop()
      await store.close()
    },
  }
}

/** Opens the store for writing and starts the index on it. The fault is one line. */
export const openIndexer = async (
  config: Config,
  outside: IndexerHost,
  { leaseGeneration = null, wrap = (store) => store }: OpenOptions = {},
): Promise<Outcome<OpenIndexer, string>> => {
  const opened = await openStore(config.store, { leaseGeneration, logger: outside.logger })
  if (!opened.ok) return failure(opened.fault)
  const store = wrap(opened.value)
  try {
    return success({ store, ...(await startOn(store, config, outside)) })
  } catch (error) {
    await store.close()
    throw error
  }
}
