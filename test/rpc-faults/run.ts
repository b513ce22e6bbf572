import { setTimeout as delay } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { openStore, syntheticDeps } from '../../bench/indexing.ts'
import type { IndexerDeps } from '../../src/indexer/deps.ts'
import { startIndexer } from '../../src/indexer/index.ts'
import type { Timer } from '../../src/net/timer.ts'
import type { ChainReader } from '../../src/ports/chain-reader.ts'
import type { Store } from '../../src/ports/store.ts'
import type { IndexHeader } from '../../src/ports/store-batches.ts'
import { createJournal } from '../support/indexer/journal.ts'
import { sourceOf } from '../support/indexer/stored.ts'

/** The reader's rests take a fraction of their time, and whole minutes can be skipped. */
const createFastTimer = (times: number): Timer & { readonly skip: (ms: number) => void } => {
  let skippedMs = 0
  return {
    nowMs: () => performance.now() * times + skippedMs,
    sleep: async (ms, signal) => {
      await delay(ms / times, undefined, signal === undefined ? {} : { signal }).catch(() => {})
    },
    skip: (ms) => {
      skippedMs += ms
    },
  }
}

/** No answer of a node that means well takes so long, however busy the machine is. */
const deadlineMsMax = 60_000
/** With a node of which some answers never end: each of them is waited for so long. */
export const deadlineMsShort = 2_000

type Given = {
  readonly urls: readonly string[]
  readonly store: Store
  readonly deadlineMs?: number
} & Partial<Pick<IndexerDeps, 'bootstrapBlocksMin'>>

/** The service's own parts, with another patience. */
const depsOf = ({ urls, store, deadlineMs = deadlineMsMax }: Given) => {
  const journal = createJournal()
  const timer = createFastTimer(40)
  const stopping = new AbortController()
  const limits = { deadlineMs, waitMsMax: 60_000 }
  const { logger } = journal
  const deps = syntheticDeps({ urls, store, timer, logger, signal: stopping.signal, limits })
  return { deps, journal, timer, stopping }
}

/** The reader alone. */
export const openReader = (urls: readonly string[], deadlineMs: number): ChainReader => {
  const store = openStore(':memory:')
  onTestFinished(store.close)
  return depsOf({ urls, store, deadlineMs }).deps.chain
}

/** The service's own reader and indexer, over real HTTP, into a store. */
export const startRun = async ({ bootstrapBlocksMin, ...given }: Given) => {
  const { deps, journal, timer, stopping } = depsOf(given)
  const refusals: string[] = []
  const indexer = await startIndexer({
    ...deps,
    onProgress: () => {},
    onRefused: (reason) => refusals.push(reason),
    ...(bootstrapBlocksMin === undefined ? {} : { bootstrapBlocksMin }),
  })
  let isOver = false
  const stop = async (): Promise<void> => {
    if (isOver) return
    isOver = true
    stopping.abort()
    await indexer.stop()
  }
  onTestFinished(stop)
  return { journal, timer, refusals, stop }
}

export type Run = Awaited<ReturnType<typeof startRun>>

export const headerOf = async (store: Store): Promise<IndexHeader | null> =>
  store.snapshot((snapshot) => snapshot.header())

export const errorOf = async (store: Store): Promise<string> =>
  (await sourceOf(store, 'swaps'))?.lastError ?? ''

export const isIndexedUpTo = async (store: Store, block: number): Promise<boolean> =>
  ((await headerOf(store))?.cursor?.block ?? 0) >= block

export const isSettledUpTo = async (store: Store, block: number): Promise<boolean> =>
  ((await headerOf(store))?.finalizedCursor?.block ?? 0) >= block
