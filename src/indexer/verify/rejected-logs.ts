import type { RejectedLog } from '../../domain/ingest/decode-pool-log.ts'
import type { Logger } from '../../ports/runtime.ts'

/** Counts logs of configured contracts that cannot be valid, by reason. */
export type RejectedLogs = {
  readonly record: (rejected: RejectedLog, count?: number) => void
  /** Summary for the status; null if there are none. */
  readonly warning: () => string | null
}

/**
 * A wrong init code hash rejects every pool of a factory, and a hostile contract can emit any
 * number of logs. So each reason is logged again only when its count reaches a power of ten.
 */
export const createRejectedLogs = (logger: Logger): RejectedLogs => {
  const tallies = new Map<
    string,
    { readonly first: RejectedLog; count: number; nextCount: number }
  >()

  return {
    record: ({ reason, example }, count = 1) => {
      const tally = tallies.get(reason) ?? { first: { reason, example }, count: 0, nextCount: 1 }
      tallies.set(reason, tally)
      tally.count += count
      if (tally.count < tally.nextCount) return
      tally.nextCount = 10 ** String(tally.count).length
      const fields = { ...tally.first, count: tally.count }
      logger.warn('Rejected logs from a configured contract', fields)
    },
    warning: () => {
      const [most, ...others] = [...tallies.values()].sort((a, b) => b.count - a.count)
      if (most === undefined) return null
      const total = others.reduce((sum, { count }) => sum + count, most.count)
      const { reason, example } = most.first
      const share = others.length === 0 ? '' : 'most of them: '
      return `${total} logs were rejected, ${share}${reason}: ${example}`
    },
  }
}
