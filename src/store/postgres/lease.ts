import { connectDirect, type DirectConnection, type DirectRow } from './direct-connection.ts'

/*
 * One writer. The row `lease` names who may write, under which generation. Its life is measured by
 * the database's clock; the holder reckons with less, by its own clock, and stops before anybody
 * else can take it:
 *
 *   holder    renew ─ renew ─ ✗ cut off ───────────── gives up
 *                       0 s                             3.7 s
 *   standby   looks ─ looks ─ looks ─ looks ─ looks ─ looks ─ looks ─ takes, generation + 1
 *                                                                5 s
 *
 * No clock is relied on for safety: every write ends with a look at the generation in its own
 * transaction, so that of a holder that slept through all this nothing can be committed.
 */

/** Since the last renewal, by the database's clock: then the lease is anybody's. */
const leaseLifeMs = 5_000
/** A renewal further ahead is of a clock that was set back: nobody waits for it to catch up. */
const clockBackMsMax = 1_000
/** Since the last renewal was sent, by the holder's clock: then it holds the lease no more. */
const trustMs = 3_700
const renewEveryMs = 1_000
const lookEveryMs = 500
/** A stop is not held up by a database that does not answer: then the lease ends by itself. */
const releaseMsMax = 1_000

/** The process's clock, which only grows, and its way to wait. */
export type LeaseTimer = {
  readonly nowMs: () => number
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>
}

/** The lease as a look at the store finds it. */
export type LeaseView = {
  readonly generation: number
  /** Null where the last one gave it back. */
  readonly holder: string | null
  /** Since it was renewed or given back, by the database's clock. */
  readonly ageMs: number
  /** Whether it is somebody's now. */
  readonly isLive: boolean
}

export type HeldLease = {
  readonly generation: number
  /** Aborted, with the reason as a text, once it can not be relied on any more. */
  readonly lost: AbortSignal
  /** For a write that found another generation in the lease. */
  readonly lose: (reason: string) => void
  /** Gives it back, if it is still ours, so that a standby need not wait for its end. */
  readonly release: () => Promise<void>
}

type LeaseParts = {
  readonly url: string
  /** Who asks, for people: it is shown in the status. */
  readonly holder: string
  readonly timer: LeaseTimer
}

export type Lease = {
  /**
   * Waits until the lease is ours; null if the signal came first. Whose it is meanwhile is told
   * once. Rejects if the store can not be asked.
   */
  readonly acquire: (
    signal: AbortSignal,
    onOther: (sight: LeaseView) => void,
  ) => Promise<HeldLease | null>
  readonly close: () => void
}

const sightSql = `SELECT generation, holder,
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

const sightOf = (row: DirectRow): LeaseView => {
  const [holder, ageMs] = [row.holder === null ? null : String(row.holder), Number(row.age_ms)]
  const isLive = holder !== null && ageMs <= leaseLifeMs && ageMs >= -clockBackMsMax
  return { generation: Number(row.generation), holder, ageMs, isLive }
}

/** Null while nobody has ever held it. */
export const readLease = async ({ query: ask }: DirectConnection): Promise<LeaseView | null> => {
  const [row] = await ask(sightSql)
  return row === undefined ? null : sightOf(row)
}

/** A holder for as long as the renewals go through. `sentMs`: when it asked for the lease. */
const hold = (
  generation: number,
  sentMs: number,
  line: DirectConnection,
  timer: LeaseTimer,
): HeldLease => {
  const lost = new AbortController()
  const done = new AbortController()
  let provedMs = sentMs
  const lose = (reason: string): void => {
    lost.abort(reason)
    done.abort()
  }
  const renew = async (): Promise<void> => {
    const askedMs = timer.nowMs()
    try {
      const rows = await line.query(renewSql, [generation])
      if (rows.length === 0) lose('another indexer has taken it')
      else provedMs = askedMs
    } catch {
      // Perhaps the next one goes through in time; `watch` knows until when.
    }
  }
  const keep = async (): Promise<void> => {
    while (!done.signal.aborted) {
      await timer.sleep(renewEveryMs, done.signal)
      if (!done.signal.aborted) await renew()
    }
  }
  /** Beside `keep`, which may be waiting for an answer that never comes. */
  const watch = async (): Promise<void> => {
    while (!done.signal.aborted) {
      const leftMs = provedMs + trustMs - timer.nowMs()
      if (leftMs <= 0) lose(`it could not be renewed for ${trustMs / 1000} s`)
      else await timer.sleep(leftMs, done.signal)
    }
  }
  const kept = Promise.all([keep(), watch()])
  return {
    generation,
    lost: lost.signal,
    lose,
    release: async () => {
      done.abort()
      const giveBack = async (): Promise<void> => {
        await kept
        if (!lost.signal.aborted) await line.query(releaseSql, [generation]).catch(() => undefined)
      }
      await Promise.race([giveBack(), timer.sleep(releaseMsMax)])
    },
  }
}

export const createLease = ({ url, holder, timer }: LeaseParts): Lease => {
  const line = connectDirect({ url, name: 'stockpools lease' })

  const tryTake = async (onOther: (sight: LeaseView) => void): Promise<HeldLease | null> => {
    const sight = await readLease(line)
    // A look takes no lock, so that looking disturbs nobody.
    if (sight?.isLive === true) {
      onOther(sight)
      return null
    }
    const sentMs = timer.nowMs()
    const [row] = await line.query(takeSql, [holder])
    return row === undefined ? null : hold(Number(row.generation), sentMs, line, timer)
  }

  return {
    acquire: async (signal, onOther) => {
      let told: number | null = null
      const tellOnce = (sight: LeaseView): void => {
        if (sight.generation !== told) onOther(sight)
        told = sight.generation
      }
      while (!signal.aborted) {
        const held = await tryTake(tellOnce)
        if (held !== null) return held
        await timer.sleep(lookEveryMs, signal)
      }
      return null
    },
    close: line.close,
  }
}
