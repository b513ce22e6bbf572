import { connectDirect, type DirectConnection, type DirectRow } from './direct-connection.ts'

/*
 * One writer. The row `lease` names the process that may write, and its generation. The database's
 * clock measures the lease's duration; the holder assumes a shorter one by its own clock, and stops
 * before another process can acquire the lease:
 *
 *   holder    renew ─ renew ─ ✗ cut off ───────────── stops
 *                       0 s                             3.7 s
 *   standby   looks ─ looks ─ looks ─ looks ─ looks ─ looks ─ looks ─ takes, generation + 1
 *                                                                5 s
 *
 * Safety does not depend on clocks: every write checks the generation at the end of its
 * transaction, so a holder that was suspended cannot commit.
 */

/** Since the last renewal, by the database's clock: then any process may acquire the lease. */
const leaseLifeMs = 5_000
/** A renewal further in the future counts as expired: the clock was set back. */
const clockBackMsMax = 1_000
/** Since the last renewal was sent, by the holder's clock: then the holder gives up. */
const trustMs = 3_700
const renewEveryMs = 1_000
const lookEveryMs = 500
/** A database that does not respond must not delay a stop: the lease then expires. */
const releaseMsMax = 1_000

/** The process's monotonic clock. */
export type LeaseTimer = {
  readonly nowMs: () => number
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>
}

/** The lease as stored. */
export type LeaseView = {
  readonly generation: number
  /** Null after a release. */
  readonly holder: string | null
  /** Since it was renewed or released, by the database's clock. */
  readonly ageMs: number
  /** Whether a process holds it. */
  readonly isLive: boolean
}

export type HeldLease = {
  readonly generation: number
  /** Aborted, with the reason as text, once the lease may be lost. */
  readonly lost: AbortSignal
  /** Called by a write that found another generation. */
  readonly lose: (reason: string) => void
  /** Releases the lease if it is still held, so that a standby need not wait until it expires. */
  readonly release: () => Promise<void>
}

type LeaseParts = {
  readonly url: string
  /** Name of the process, shown in the status. */
  readonly holder: string
  readonly timer: LeaseTimer
}

export type Lease = {
  /**
   * Waits until the lease is acquired; null if the signal came first. Calls `onOther` once per
   * other holder. Rejects if the store is unavailable.
   */
  readonly acquire: (
    signal: AbortSignal,
    onOther: (view: LeaseView) => void,
  ) => Promise<HeldLease | null>
  readonly close: () => void
}

const leaseViewSql = `SELECT generation, holder,
  (extract(epoch FROM clock_timestamp() - renewed_at) * 1000)::float8 AS age_ms
  FROM lease WHERE id = 1`

const takeSql = `INSERT INTO lease (id, generation, holder, renewed_at)
  VALUES (1, 1, $1, clock_timestamp())
  ON CONFLICT (id) DO UPDATE SET generation = lease.generation + 1,
    holder = excluded.holder, renewed_at = clock_timestamp()
  WHERE lease.holder IS NULL OR lease.renewed_at NOT BETWEEN
    clock_timestamp() - interval '${leaseLifeMs} ms'
    AND clock_timestamp() + interval '${clockBackMsMax} ms'
  RETURNING generation`

const renewSql = `UPDATE lease SET renewed_at = clock_timestamp()
  WHERE id = 1 AND generation = $1 AND holder IS NOT NULL RETURNING generation`

const releaseSql = `UPDATE lease SET holder = NULL, renewed_at = clock_timestamp()
  WHERE id = 1 AND generation = $1`

const toLeaseView = (row: DirectRow): LeaseView => {
  const [holder, ageMs] = [row.holder === null ? null : String(row.holder), Number(row.age_ms)]
  const isLive = holder !== null && ageMs <= leaseLifeMs && ageMs >= -clockBackMsMax
  return { generation: Number(row.generation), holder, ageMs, isLive }
}

/** Null before the first process acquired it. */
export const readLease = async ({ query: ask }: DirectConnection): Promise<LeaseView | null> => {
  const [row] = await ask(leaseViewSql)
  return row === undefined ? null : toLeaseView(row)
}

/** Renews the lease until it is lost or released. `sentMs`: when it was requested. */
const hold = (
  generation: number,
  sentMs: number,
  connection: DirectConnection,
  timer: LeaseTimer,
): HeldLease => {
  const lost = new AbortController()
  const done = new AbortController()
  let renewedMs = sentMs
  const lose = (reason: string): void => {
    lost.abort(reason)
    done.abort()
  }
  const renew = async (): Promise<void> => {
    const requestedMs = timer.nowMs()
    try {
      const rows = await connection.query(renewSql, [generation])
      if (rows.length === 0) lose('another indexer acquired it')
      else renewedMs = requestedMs
    } catch {
      // A later renewal may succeed in time; `watch` enforces the limit.
    }
  }
  const renewRegularly = async (): Promise<void> => {
    while (!done.signal.aborted) {
      await timer.sleep(renewEveryMs, done.signal)
      if (!done.signal.aborted) await renew()
    }
  }
  /** Separate from the renewals, one of which may wait for an answer that never comes. */
  const watch = async (): Promise<void> => {
    while (!done.signal.aborted) {
      const leftMs = renewedMs + trustMs - timer.nowMs()
      if (leftMs <= 0) lose(`it could not be renewed for ${trustMs / 1000} s`)
      else await timer.sleep(leftMs, done.signal)
    }
  }
  const loops = Promise.all([renewRegularly(), watch()])
  return {
    generation,
    lost: lost.signal,
    lose,
    release: async () => {
      done.abort()
      const releaseInStore = async (): Promise<void> => {
        await loops
        if (!lost.signal.aborted)
          await connection.query(releaseSql, [generation]).catch(() => undefined)
      }
      await Promise.race([releaseInStore(), timer.sleep(releaseMsMax)])
    },
  }
}

export const createLease = ({ url, holder, timer }: LeaseParts): Lease => {
  const connection = connectDirect({ url, name: 'stockpools lease' })

  const tryAcquire = async (onOther: (view: LeaseView) => void): Promise<HeldLease | null> => {
    const view = await readLease(connection)
    // Reading takes no lock and so delays no writer.
    if (view?.isLive === true) {
      onOther(view)
      return null
    }
    const sentMs = timer.nowMs()
    const [row] = await connection.query(takeSql, [holder])
    return row === undefined ? null : hold(Number(row.generation), sentMs, connection, timer)
  }

  return {
    acquire: async (signal, onOther) => {
      let reported: number | null = null
      const reportOnce = (view: LeaseView): void => {
        if (view.generation !== reported) onOther(view)
        reported = view.generation
      }
      while (!signal.aborted) {
        const held = await tryAcquire(reportOnce)
        if (held !== null) return held
        await timer.sleep(lookEveryMs, signal)
      }
      return null
    },
    close: connection.close,
  }
}
