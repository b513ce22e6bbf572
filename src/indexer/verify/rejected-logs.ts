import type { RejectedLog } from '../../domain/ingest/decode-pool-log.ts'
import type { Logger } from '../../ports/runtime.ts'

/** The logs of our venues that can not be true: what they told is missing from the index. */
export type RejectedLogs = {
  readonly record: (refused: RejectedLog, count?: number) => void
  /** For the status; null while there are none. */
  readonly warning: () => string | null
}

type Tally = { readonly first: RejectedLog; count: number; nextCount: number }

/**
 * A wrong init code hash refuses every pool of a factory, a hostile contract as many logs as it
 * likes: each reason is told again only when there are ten times as many.
 */
export const createRejectedLogs = (logger: Logger): RejectedLogs => {
  const tallies = new Map<string, Tally>()

  const tell = (tally: Tally): void => {
    const { first, count } = tally
    tally.nextCount = 10 ** String(count).length
    logger.warn('Logs of a configured contract are refused', { ...first, count })
  }

  return {
    record: (refused, count = 1) => {
      const { reason, example } = refused
      const tally = tallies.get(reason) ?? { first: { reason, example }, count: 0, nextCount: 1 }
      tallies.set(reason, tally)
      tally.count += count
      if (tally.count >= tally.nextCount) tell(tally)
    },
    warning: () => {
      const [most, ...others] = [...tallies.values()].sort((a, b) => b.count - a.count)
      if (most === undefined) return null
      const total = others.reduce((sum, { count }) => sum + count, most.count)
      const { reason, example } = most.first
      const share = others.length === 0 ? '' : 'most '
      return `${total} logs are refused, ${share}${reason}: ${example}`
    },
  }
}
