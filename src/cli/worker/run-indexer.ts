import type { Config } from '../../config/config.ts'
import { failure, type Outcome, success } from '../../domain/outcome.ts'
import { policyDefault } from '../../domain/status/freshness.ts'
import type { IndexerDeps } from '../../indexer/deps.ts'
import { startIndexer } from '../../indexer/index.ts'
import type { Clock, Logger } from '../../ports/runtime.ts'
import type { Store } from '../../ports/store.ts'
import type { RpcChainReader } from '../../rpc/chain-reader.ts'
import { describeCuts } from '../../rpc/log-limit.ts'
import { createAdapters } from '../compose/adapters.ts'
import { toIndexedNetwork } from '../compose/network.ts'
import { openStore } from '../compose/open-store.ts'

export type OpenIndexer = {
  readonly store: Store
  readonly endpoints: RpcChainReader['endpoints']
  /** Stops the loops, then closes the store. */
  readonly close: () => Promise<void>
}

type OpenOptions = {
  /** Generation of the lease; null if the store has no lease. */
  readonly leaseGeneration?: number | null
  /** Wraps the store before the indexer uses it. */
  readonly wrap?: (store: Store) => Store
}

export type IndexerHost = Pick<IndexerDeps, 'logger' | 'onProgress' | 'onRefused'> & {
  readonly clock: Clock
}

/** Starts the indexer on an open store; `close` also closes the store. */
const startOnStore = async (
  store: Store,
  config: Config,
  host: IndexerHost,
): Promise<Omit<OpenIndexer, 'store'>> => {
  const stopping = new AbortController()
  const { signal } = stopping
  // Requests that the shutdown aborts are not failures of their source.
  const recordSource: Store['recordSource'] = async (record) => {
    if (!signal.aborted) await store.recordSource(record)
  }
  const warn: Logger['warn'] = (message, fields) => {
    if (!signal.aborted) host.logger.warn(message, fields)
  }
  const logger = { ...host.logger, warn }
  const adapters = createAdapters(config, { logger, signal })
  const indexer = await startIndexer({
    ...host,
    ...adapters,
    logger,
    network: toIndexedNetwork(config),
    store: { ...store, recordSource },
    policy: { ...policyDefault, confirmations: config.confirmations },
    readSenders: config.network.traders ? adapters.chain.readSenders : null,
    historyDays: config.historyDays,
    pollMs: config.pollMs,
    endpointWarning: () => describeCuts(adapters.chain.endpoints()),
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

/** Opens the store for writing and starts the indexer on it. The fault is one line. */
export const openIndexer = async (
  config: Config,
  host: IndexerHost,
  { leaseGeneration = null, wrap = (store) => store }: OpenOptions = {},
): Promise<Outcome<OpenIndexer, string>> => {
  const opened = await openStore(config.store, { leaseGeneration, logger: host.logger })
  if (!opened.ok) return failure(opened.fault)
  const store = wrap(opened.value)
  try {
    return success({ store, ...(await startOnStore(store, config, host)) })
  } catch (error) {
    await store.close()
    throw error
  }
}
