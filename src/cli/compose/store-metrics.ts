import type { StoreTarget } from '../../config/options.ts'
import type { WriterView } from '../../domain/views/service.ts'
import type { Timer } from '../../net/timer.ts'
import type { StatsReader, StoreStats } from '../../store/postgres/store-stats.ts'
import { storeFileBytes } from './open-store.ts'

/** What an API tells of its store beside the contents. */
export type StoreMetrics = {
  /** On disk; null where it is in memory, or has not told yet. */
  readonly bytes: () => number | null
  readonly writer: () => WriterView | null
  readonly stop: () => Promise<void>
}

const readEveryMs = 2_000
/** What was told longer ago says nothing of now. */
const factsMsMax = 10_000

type Told = { readonly facts: StoreStats; readonly atMs: number }

const writerOf = ({ facts, atMs }: Told, nowMs: number): WriterView | null => {
  if (facts.lease === null) return null
  const { holder, generation, ageMs, isLive } = facts.lease
  const sinceMs = nowMs - atMs
  const state = sinceMs > factsMsMax ? 'unknown' : isLive ? 'active' : 'absent'
  // The database's clock may have been set back.
  const ageSeconds = Math.max(0, Math.round((ageMs + sinceMs) / 1000))
  return { state, holder, generation, ageSeconds }
}

const openFacts = async (url: string): Promise<StatsReader> => {
  const { createStatsReader } = await import('../../store/postgres/store-stats.ts')
  return createStatsReader(url)
}

const watchPostgres = (url: string, timer: Timer): StoreMetrics => {
  const stopping = new AbortController()
  let told: Told | null = null
  const run = async (): Promise<void> => {
    const reader = await openFacts(url)
    stopping.signal.addEventListener('abort', reader.close)
    while (!stopping.signal.aborted) {
      // A store that can not be asked is told by whoever reads from it.
      const facts = await reader.read().catch(() => null)
      if (facts !== null) told = { facts, atMs: timer.nowMs() }
      await timer.sleep(readEveryMs, stopping.signal)
    }
    reader.close()
  }
  const running = run()
  return {
    bytes: () => told?.facts.bytes ?? null,
    writer: () => (told === null ? null : writerOf(told, timer.nowMs())),
    stop: async () => {
      stopping.abort()
      await running
    },
  }
}

export const pollStoreMetrics = (target: StoreTarget, timer: Timer): StoreMetrics => {
  if (target.kind === 'postgres') return watchPostgres(target.url.reveal(), timer)
  return {
    bytes: () => (target.kind === 'sqlite' ? storeFileBytes(target.path) : null),
    writer: () => null,
    stop: async () => {},
  }
}
