import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { keccak256 } from 'viem'
import type { OpenedSandbox } from '../../../sandbox/open-sandbox.ts'
import { systemClock } from '../../../src/cli/clock.ts'
import { createAdapters } from '../../../src/cli/compose/adapters.ts'
import { toIndexedNetwork } from '../../../src/cli/compose/network.ts'
import { resolveConfig } from '../../../src/config/config.ts'
import { policyDefault } from '../../../src/domain/status/freshness.ts'
import type { IndexerDeps } from '../../../src/indexer/deps.ts'
import { startIndexer } from '../../../src/indexer/index.ts'
import type { Store } from '../../../src/ports/store.ts'

const say = (): void => {}
const logger = { debug: say, info: say, warn: say, error: say }

/** Indexes a running sandbox into a store, with the adapters of the service; returns `stop`. */
export const indexSandbox = async (
  { networkFile }: Pick<OpenedSandbox, 'networkFile'>,
  store: Store,
  given: Pick<IndexerDeps, 'bootstrapBlocksMin'> = {},
): Promise<() => Promise<void>> => {
  const network = readFileSync(networkFile, 'utf8')
  const config = resolveConfig({ role: 'index', args: [], environment: {} }, network)
  if (!config.ok) throw new Error(config.fault)
  const stopping = new AbortController()
  const indexer = await startIndexer({
    ...createAdapters(config.value, { logger, signal: stopping.signal }),
    store,
    logger,
    network: toIndexedNetwork(config.value),
    clock: systemClock,
    keccak256: (bytes) => keccak256(bytes),
    sha256: (text) => `0x${createHash('sha256').update(text).digest('hex')}`,
    policy: { ...policyDefault, confirmations: config.value.confirmations },
    readSenders: null,
    historyDays: 30,
    pollMs: 200,
    onProgress: say,
    onRefused: (reason) => {
      throw new Error(reason)
    },
    ...given,
  })
  return async () => {
    stopping.abort()
    await indexer.stop()
  }
}
