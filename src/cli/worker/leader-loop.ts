import type { Outcome } from '../../domain/outcome.ts'
import type { Timer } from '../../net/timer.ts'
import type { Logger } from '../../ports/runtime.ts'
import type { HeldLease, Lease, LeaseView } from '../../store/postgres/lease.ts'
import { errorText } from '../../util/error-text.ts'
import { untilAborted } from '../../util/until-aborted.ts'

/*
 * On a store of several processes the indexer runs in leader sessions, each from acquiring the
 * lease to losing it:
 *
 *   wait for the lease ──► open the store under its generation ──► index ──► lost, in doubt or
 *          ▲                                                                 stopped: close, give
 *          └───────────────────────────────────────────────────────────────  the lease back
 *
 * Any failure ends the session, never the process. The next session starts from the state of the
 * store.
 */

export type LeaderSession = { readonly close: () => Promise<void> }

export type LeaderLoopDeps = {
  /** Creates or migrates the schema, which includes the lease. */
  readonly migrate: () => Promise<Outcome<void, string>>
  readonly acquire: Lease['acquire']
  /** Starts the work of a session; `end` ends it from within. The fault is one line. */
  readonly open: (
    lease: HeldLease,
    end: (reason: string) => void,
  ) => Promise<Outcome<LeaderSession, string>>
  readonly logger: Logger
  readonly timer: Pick<Timer, 'sleep'>
  /** Receives a status line. */
  readonly onWaiting: (text: string) => void
}

export type LeaderLoop = {
  /** Ends the current session and releases its lease. */
  readonly stop: () => Promise<void>
}

/** Waits after a failed session or attempt; the last one repeats. */
const retryWaitsMs = [500, 1_000, 2_000, 5_000] as const
/**
 * Work that continues this long after its end waits for an unresponsive database. It is abandoned
 * and ends with its thread. A shutdown has five seconds in all.
 */
const hungMs = 2_000
/** A suspension of this process counts as one step of the wait. */
const hungStepMs = 100

/** `idle`: the lease was not acquired; `hung`: the work did not end. */
type SessionEnd =
  | { readonly kind: 'idle' | 'done' | 'hung' }
  | { readonly kind: 'failed'; readonly fault: string }

export const startLeaderLoop = (deps: LeaderLoopDeps): LeaderLoop => {
  const { logger, timer } = deps
  const stopping = new AbortController()
  let failures = 0
  let loggedFault: string | null = null

  /** Null if the attempt has not ended `hungMs` after the signal. */
  const unlessHung = <T>(attempt: Promise<T>, signal: AbortSignal): Promise<T | null> => {
    const hung = untilAborted(signal).then(async () => {
      for (let waitedMs = 0; waitedMs < hungMs; waitedMs += hungStepMs)
        await timer.sleep(hungStepMs)
      return null
    })
    return Promise.race([attempt, hung])
  }

  const runSession = async (lease: HeldLease): Promise<SessionEnd> => {
    const ended = new AbortController()
    const end = (reason: string): void => ended.abort(reason)
    const over = AbortSignal.any([stopping.signal, lease.lost, ended.signal])
    const opened = await unlessHung(deps.open(lease, end), over)
    if (opened === null) return { kind: 'hung' }
    if (!opened.ok) return { kind: 'failed', fault: opened.fault }
    logger.info('Acquired the lease, indexing', { generation: lease.generation })
    failures = 0
    loggedFault = null
    await untilAborted(over)
    const reason = lease.lost.aborted ? lease.lost.reason : ended.signal.reason
    if (!stopping.signal.aborted) {
      logger.warn('Lost the lease, stopped writing', { reason: String(reason) })
    }
    const closed = opened.value.close().then(() => true)
    return { kind: (await unlessHung(closed, over)) === null ? 'hung' : 'done' }
  }

  const onStandby = ({ holder, generation }: LeaseView): void => {
    loggedFault = null
    logger.info('Standby: another indexer holds the lease', { holder, generation })
    deps.onWaiting(`Standby: ${holder} holds the lease`)
  }

  const attempt = async (): Promise<SessionEnd> => {
    const migrated = await unlessHung(deps.migrate(), stopping.signal)
    if (migrated === null) return { kind: 'hung' }
    if (!migrated.ok) return { kind: 'failed', fault: migrated.fault }
    const lease = await deps.acquire(stopping.signal, onStandby)
    if (lease === null) return { kind: 'idle' }
    try {
      return await runSession(lease)
    } finally {
      await lease.release()
    }
  }

  const reportFault = (fault: string): void => {
    if (fault !== loggedFault) logger.warn('Waiting for the store', { reason: fault })
    loggedFault = fault
    deps.onWaiting('Waiting for the store')
  }

  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const end = await attempt().catch(
        (error: unknown): SessionEnd => ({ kind: 'failed', fault: errorText(error) }),
      )
      if (end.kind === 'hung' && !stopping.signal.aborted) {
        throw new Error('store did not respond in time, restarting the indexer')
      }
      if (end.kind === 'failed') reportFault(end.fault)
      const waitMs = retryWaitsMs[Math.min(failures, retryWaitsMs.length - 1)] ?? 0
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
