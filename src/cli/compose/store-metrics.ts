import type { StoreTarget } from '../../config/options.ts'
import type { WriterView } from '../../domain/views/service.ts'
import type { Timer } from '../../net/timer.ts'
import type { StatsReader, StoreStats } from '../../store/postgres/store-stats.ts'
import { storeFileBytes } from './open-store.ts'

/** Size and writer of the store, for status and metrics. */
export type StoreMetrics = {
  /** Size on disk; null for a store in memory, or before the first read. */
  readonly bytes: () => number | null
  readonly writer: () => WriterView | null
  readonly stop: () => Promise<void>
}

const readEveryMs = 2_000
/** Older statistics say nothing about the writer. */
const statsMsMax = 10_000

type TimedStats = { readonly stats: StoreStats; readonly atMs: number }

const writerOf = ({ stats, atMs }: TimedStats, nowMs: number): WriterView | null => {
  if (stats.lease === null) return null
  const { holder, generation, ageMs, isLive } = stats.lease
  const sinceMs = nowMs - atMs
  const state = sinceMs > statsMsMax ? 'unknown' : isLive ? 'active' : 'absent'
  // The clock of the database may have been set back.
  const ageSeconds = Math.max(0, Math.round((ageMs + sinceMs) / 1000))
  return { state, holder, generation, ageSeconds }
}

const openStatsReader = async (url: string): Promise<StatsReader> => {
  const { createStatsReader } = await import('../../store/postgres/store-stats.ts')
  return createStatsReader(url)
}

const pollPostgres = (url: string, timer: Timer): StoreMetrics => {
  const stopping = new AbortController()
  let latest: TimedStats | null = null
  const run = async (): Promise<void> => {
    const reader = await openStatsReader(url)
    stopping.signal.addEventListener('abort', reader.close)
    while (!stopping.signal.aborted) {
      // A failure is ignored here: the store sync logs that the store is unavailable.
      const stats = await reader.read().catch(() => null)
      if (stats !== null) latest = { stats, atMs: timer.nowMs() }
      await timer.sleep(readEveryMs, stopping.signal)
    }
    reader.close()
  }
  const running = run()
  return {
    bytes: () => latest?.stats.bytes ?? null,
    writer: () => (latest === null ? null : writerOf(latest, timer.nowMs())),
    stop: async () => {
      stopping.abort()
      await running
    },
  }
}

export const pollStoreMetrics = (target: StoreTarget, timer: Timer): StoreMetrics => {
  if (target.kind === 'postgres') return pollPostgres(target.url.reveal(), timer)
  return {
    bytes: () => (target.kind === 'sqlite' ? storeFileBytes(target.path) : null),
    writer: () => null,
    stop: async () => {},
  }
}
