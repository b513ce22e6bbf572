import { connectDirect, type DirectConnection, type DirectRow } from './direct-connection.ts'

/*
 * One writer. The row `lease` names the process that may write, and its generation. Renewals and
 * commits set its time, by the database's clock; once that is old, any process may take it:
 *
 *   holder    renew ─ renew ─ ✗ cut off or frozen ─────────────────────── learns it, stops
 *                       0 s
 *   standby   looks ─ looks ─ looks ─ looks ─ looks ─ takes, generation + 1
 *                                                5 s
 *
 * A holder that is late renews and continues if no other took it. Safety does not depend on clocks:
 * every write checks the generation at the end of its transaction.
 */

/** Since the last renewal, by the database's clock: then any process may acquire the lease. */
const leaseLifeMs = 5_000
/** A renewal further in the future counts as expired: the clock was set back. */
const clockBackMsMax = 1_000
const renewEveryMs = 1_000
const lookEveryMs = 500
/** A database that does not respond must not delay a stop: the lease then expires. */
const releaseMsMax = 1_000

export type LeaseTimer = {
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
  /** Aborted, with the reason as text, once another generation was found. */
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

/** Renews the lease until it is lost or released. */
const hold = (generation: number, connection: DirectConnection, timer: LeaseTimer): HeldLease => {
  const lost = new AbortController()
  const done = new AbortController()
  const lose = (reason: string): void => {
    lost.abort(reason)
    done.abort()
  }
  const renew = async (): Promise<void> => {
    try {
      const rows = await connection.query(renewSql, [generation])
      if (rows.length === 0) lose('another indexer acquired it')
    } catch {
      // Without an answer it may still be held; a later renewal finds out.
    }
  }
  const renewRegularly = async (): Promise<void> => {
    while (!done.signal.aborted) {
      await timer.sleep(renewEveryMs, done.signal)
      if (!done.signal.aborted) await renew()
    }
  }
  const renewing = renewRegularly()
  return {
    generation,
    lost: lost.signal,
    lose,
    release: async () => {
      done.abort()
      const releaseInStore = async (): Promise<void> => {
        await renewing
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
    const [row] = await connection.query(takeSql, [holder])
    return row === undefined ? null : hold(Number(row.generation), connection, timer)
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
