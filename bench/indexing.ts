import { keccak256 } from '../src/cli/compose/adapters.ts'
import { policyDefault } from '../src/domain/status/freshness.ts'
import type { IndexerDeps } from '../src/indexer/deps.ts'
import { createHttpClient } from '../src/net/http-client.ts'
import type { Timer } from '../src/net/timer.ts'
import type { Logger } from '../src/ports/runtime.ts'
import type { Store } from '../src/ports/store.ts'
import { type ChainReaderLimits, createChainReader } from '../src/rpc/chain-reader.ts'
import { createSqliteStore } from '../src/store/sqlite/sqlite-store.ts'
import { sha256 } from './canonical.ts'
import { multicall3, syntheticNetwork } from './chain/contracts-and-tokens.ts'
import { chainId, defaultChainParams, startTs } from './chain/params.ts'

export const confirmations = 5

/** Fixed after the last block, so that results do not depend on the day of the run. */
const clock = { now: () => startTs + defaultChainParams.blocks * defaultChainParams.blockSeconds }

export const openStore = (path: string): Store => {
  const opened = createSqliteStore({ path })
  if (!opened.ok) throw new Error(opened.fault)
  return opened.value
}

/** The service's chain reader and settings, pointed at synthetic nodes. */
export const syntheticDeps = (options: {
  readonly urls: readonly string[]
  readonly store: Store
  readonly logger: Logger
  readonly timer: Timer
  readonly signal: AbortSignal
  readonly limits?: Partial<ChainReaderLimits>
}): Omit<IndexerDeps, 'onProgress' | 'onRefused'> => {
  const { store, logger, signal } = options
  const httpClient = createHttpClient({ signal })
  const finality = 'finalized'
  const random = (): number => 0.5
  return {
    network: syntheticNetwork,
    chain: createChainReader({ ...options, chainId, multicall3, finality, httpClient, random }),
    store,
    clock,
    logger,
    keccak256,
    sha256,
    random: Math.random,
    policy: { ...policyDefault, confirmations },
    quoteSources: [],
    registry: null,
    screener: null,
    readSenders: null,
    historyDays: 30,
    pollMs: 50,
  }
}
