import { createHash } from 'node:crypto'
import { keccak256 } from 'viem'
import type { Config } from '../config/config.ts'
import { policyDefault } from '../domain/freshness/policy.ts'
import { failure, type Outcome, success } from '../domain/outcome.ts'
import type { IndexerDeps } from '../pipeline/deps.ts'
import { startIndexer } from '../pipeline/indexer.ts'
import type { Clock, Logger } from '../ports/process.ts'
import type { Store } from '../ports/store.ts'
import type { RpcChainReader } from '../rpc/chain-reader.ts'
import { createAdapters } from '../wiring/adapters.ts'
import { indexedNetworkOf } from '../wiring/network.ts'
import { openStore } from '../wiring/store.ts'

export type OpenIndexer = {
  readonly store: Store
  readonly endpoints: RpcChainReader['endpoints']
  /** Ends the loops, then the store. */
  readonly close: () => Promise<void>
}

/** Opens the store for writing and starts the index on it. The fault is one line. */
export const openIndexer = async (
  config: Config,
  outside: Pick<IndexerDeps, 'logger' | 'onProgress' | 'onRefused'> & { readonly clock: Clock },
): Promise<Outcome<OpenIndexer, string>> => {
  const store = openStore(config.store)
  if (!store.ok) return failure(store.fault)
  const stopping = new AbortController()
  const { signal } = stopping
  // What our own stop cuts off is no failure of its source, and nothing to warn of.
  const recordSource: Store['recordSource'] = async (record) => {
    if (!signal.aborted) await store.value.recordSource(record)
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
    network: indexedNetworkOf(config),
    store: { ...store.value, recordSource },
    keccak256: (bytes) => keccak256(bytes),
    sha256: (text) => `0x${createHash('sha256').update(text).digest('hex')}`,
    policy: { ...policyDefault, confirmations: config.confirmations },
    historyDays: config.historyDays,
    pollMs: config.pollMs,
  })
  return success({
    store: store.value,
    endpoints: adapters.chain.endpoints,
    close: async () => {
      stopping.abort()
      await indexer.stop()
      await store.value.close()
    },
  })
}
