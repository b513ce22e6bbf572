import { Client } from 'pg'
import type { LeaseTimer } from '../../../src/store/postgres/lease.ts'

/** One who wants the lease or holds it, by the clock that is moved by hand. */
export type ManualLeaseTimer = LeaseTimer & {
  /** Whether it waits for the clock to move, and for nothing else. */
  readonly isSleeping: () => boolean
}

/**
 * One clock for a database and all its clients, so that no machine is too slow for them. It stands
 * still until a test advances it; a sleeper then wakes if its time has come, or sleeps further.
 */
export type ManualClock = {
  readonly nowMs: () => number
  readonly timer: () => ManualLeaseTimer
  readonly advance: (ms: number) => Promise<void>
  readonly close: () => Promise<void>
}

/** For connections made from now on: a name without its schema is looked for in this order. */
const makeSql = (database: string): string => `
  CREATE SCHEMA by_hand;
  CREATE TABLE by_hand.clock AS SELECT pg_catalog.clock_timestamp() AS now;
  CREATE FUNCTION by_hand.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE
    AS 'SELECT now FROM by_hand.clock';
  ALTER DATABASE ${database} SET search_path = public, by_hand, pg_catalog`
const moveSql = "UPDATE by_hand.clock SET now = now + $1::float8 * interval '1 ms'"

/** The database must have its tables already. */
export const createManualClock = async (url: string): Promise<ManualClock> => {
  const hand = new Client({ connectionString: url })
  await hand.connect()
  await hand.query(makeSql(new URL(url).pathname.slice(1)))
  const allAsleep: Set<() => void>[] = []
  let nowMs = 0

  const timer = (): ManualLeaseTimer => {
    const asleep = new Set<() => void>()
    allAsleep.push(asleep)
    const sleep = (_: number, signal?: AbortSignal): Promise<void> =>
      new Promise((resolve) => {
        if (signal?.aborted === true) return resolve()
        const wake = (): void => {
          asleep.delete(wake)
          resolve()
        }
        asleep.add(wake)
        signal?.addEventListener('abort', wake, { once: true })
      })
    return { sleep, isSleeping: () => asleep.size > 0 }
  }

  return {
    nowMs: () => nowMs,
    timer,
    advance: async (ms) => {
      await hand.query(moveSql, [ms])
      nowMs += ms
      for (const asleep of allAsleep) for (const wake of [...asleep]) wake()
    },
    close: () => hand.end(),
  }
}
