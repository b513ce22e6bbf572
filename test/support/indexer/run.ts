import { createHash } from 'node:crypto'
import { vi } from 'vitest'
import { policyDefault } from '../../../src/domain/status/freshness.ts'
import type { IndexerDeps } from '../../../src/indexer/deps.ts'
import { startIndexer } from '../../../src/indexer/index.ts'
import type { Clock } from '../../../src/ports/runtime.ts'
import type { Store } from '../../../src/ports/store.ts'
import { keccak } from '../domain/sample-pool.ts'
import type { FakeChain } from './fake-chain.ts'
import { createJournal } from './journal.ts'
import { sampleNetwork } from './market.ts'

/** Time that only tests move: timers and the clock together. */
export const freezeTime = (ts: number): void => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  vi.setSystemTime(ts * 1000)
}

export const passSeconds = async (seconds: number): Promise<void> => {
  await vi.advanceTimersByTimeAsync(seconds * 1000)
}

export const frozenClock: Clock = { now: () => Math.floor(Date.now() / 1000) }

export const confirmations = 2

type Given = { readonly chain: FakeChain; readonly store: Store } & Partial<
  Omit<IndexerDeps, 'chain' | 'store'>
>

/** Starts the indexer of the sample network. */
export const startTestIndexer = async ({ chain, store, ...given }: Given) => {
  const journal = createJournal()
  const refusals: string[] = []
  const indexer = await startIndexer({
    network: sampleNetwork,
    chain: chain.reader,
    store,
    clock: frozenClock,
    logger: journal.logger,
    keccak256: keccak,
    sha256: (text) => `0x${createHash('sha256').update(text).digest('hex')}`,
    random: Math.random,
    policy: { ...policyDefault, confirmations },
    quoteSources: [],
    registry: null,
    screener: null,
    readSenders: null,
    historyDays: 7,
    pollMs: 500,
    onProgress: () => {},
    onRefused: (reason) => refusals.push(reason),
    ...given,
  })
  return { stop: indexer.stop, journal, refusals }
}

export type TestIndexer = Awaited<ReturnType<typeof startTestIndexer>>
