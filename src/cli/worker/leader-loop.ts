import type { Outcome } from '../../domain/outcome.ts'
import type { Timer } from '../../net/timer.ts'
import type { Logger } from '../../ports/runtime.ts'
import type { HeldLease, Lease, LeaseView } from '../../store/postgres/lease.ts'
import { errorText } from '../../util/error-text.ts'
import { untilAborted } from '../../util/until-aborted.ts'

/*
 * An index on a store that several processes share works in terms, each from taking the lease to
 * losing it:
 *
 *   wait for the lease ──► open the store under its generation ──► index ──► lost, in doubt or
 *          ▲                                                                 stopped: close, give
 *          └───────────────────────────────────────────────────────────────  the lease back
 *
 * Whatever goes wrong ends the term, never the process: the next one begins with what the store
 * says.
 */

export type LeaderSession = { readonly close: () => Promise<void> }

export type LeaderLoopDeps = {
  /** Makes sure that there is a lease to ask for. */
  readonly migrate: () => Promise<Outcome<void, string>>
  readonly acquire: Lease['acquire']
  /** Begins the work of a term; `end` ends it from within. The fault is one line. */
  readonly open: (
    lease: HeldLease,
    end: (reason: string) => void,
  ) => Promise<Outcome<LeaderSession, string>>
  readonly logger: Logger
  readonly timer: Pick<Timer, 'sleep'>
  /** One line for whoever looks on. */
  readonly onWaiting: (text: string) => void
}

export type LeaderLoop = {
  /** Ends the term under way, if there is one, and gives its lease back. */
  readonly stop: () => Promise<void>
}

/** After a term or an attempt that went wrong, doubled each time up to the last. */
const waitsMs = [500, 1_000, 2_000, 5_000] as const
/**
 * Work that goes on so long after its end waits for a database that says nothing: it is left where
 * it is, and ends with its thread. A stop has five seconds in all.
 */
const lateMsMax = 2_000

/** How a term ended: `idle` when the lease was never taken, `hung` when its work did not end. */
type TermEnd =
  | { readonly kind: 'idle' | 'done' | 'hung' }
  | { readonly kind: 'failed'; readonly fault: string }

export const startLeaderLoop = (parts: LeaderLoopDeps): LeaderLoop => {
  const { logger, timer } = parts
  const stopping = new AbortController()
  let failures = 0
  let toldFault: string | null = null

  /** Null where it has not come to an end so long after the signal. */
  const unlessLate = <T>(attempt: Promise<T>, signal: AbortSignal): Promise<T | null> => {
    const late = untilAborted(signal).then(async () => {
      await timer.sleep(lateMsMax)
      return null
    })
    return Promise.race([attempt, late])
  }

  const work = async (lease: HeldLease): Promise<TermEnd> => {
    const ended = new AbortController()
    const end = (reason: string): void => ended.abort(reason)
    const gone = AbortSignal.any([stopping.signal, lease.lost, ended.signal])
    const opened = await unlessLate(parts.open(lease, end), gone)
    if (opened === null) return { kind: 'hung' }
    if (!opened.ok) return { kind: 'failed', fault: opened.fault }
    logger.info('Active: this process writes the index', { generation: lease.generation })
    failures = 0
    toldFault = null
    await untilAborted(gone)
    const why = lease.lost.aborted ? lease.lost.reason : ended.signal.reason
    if (!stopping.signal.aborted) {
      logger.warn('Not active any more; nothing more is written', { reason: String(why) })
    }
    const closed = opened.value.close().then(() => true)
    return { kind: (await unlessLate(closed, gone)) === null ? 'hung' : 'done' }
  }

  const standBy = ({ holder, generation }: LeaseView): void => {
    toldFault = null
    logger.info('Standing by: another indexer is active', { holder, generation })
    parts.onWaiting(`Standing by; ${holder} is active`)
  }

  const serve = async (): Promise<TermEnd> => {
    const migrated = await unlessLate(parts.migrate(), stopping.signal)
    if (migrated === null) return { kind: 'hung' }
    if (!migrated.ok) return { kind: 'failed', fault: migrated.fault }
    const lease = await parts.acquire(stopping.signal, standBy)
    if (lease === null) return { kind: 'idle' }
    try {
      return await work(lease)
    } finally {
      await lease.release()
    }
  }

  const tellFault = (fault: string): void => {
    if (fault !== toldFault) logger.warn('The index waits for its store', { reason: fault })
    toldFault = fault
    parts.onWaiting('Waiting for the store')
  }

  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const end = await serve().catch(
        (error: unknown): TermEnd => ({ kind: 'failed', fault: errorText(error) }),
      )
      if (end.kind === 'hung' && !stopping.signal.aborted) {
        throw new Error('the store said nothing: the index is raised anew')
      }
      if (end.kind === 'failed') tellFault(end.fault)
      const waitMs = waitsMs[Math.min(failures, waitsMs.length - 1)] ?? 0
      failures += 1
      await timer.sleep(waitMs, stopping.signal)
    }
  }

  const running = run()
  return {
    stop: async () => {
      stopping.abort()
      await running
    },
  }
}
