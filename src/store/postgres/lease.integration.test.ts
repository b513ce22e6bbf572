import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { queryAt, startPostgres } from '../../../test/setup/postgres.ts'
import { layProxy, type TcpProxy } from '../../../test/setup/tcp-proxy.ts'
import {
  createManualClock,
  type ManualClock,
  type ManualLeaseTimer,
} from '../../../test/support/store/hand-clock.ts'
import { createLease, type HeldLease, type Lease, type LeaseView } from './lease.ts'
import { migratePostgres } from './postgres-store.ts'

/*
 * Who may write. Two that want to, on one database; every line of a drawing is a second:
 *
 *   first    ████████ ✗ cut off              ✓ back: learns that it is lost
 *   second   ........................██████  takes it after 5 s
 */

const postgres = await startPostgres()
afterAll(postgres.dispose)

let url = ''
let proxy: TcpProxy
let clock: ManualClock
let leases: Lease[] = []
const never = new AbortController().signal

const leaseOf = (holder: string, at = url, timer: ManualLeaseTimer = clock.timer()): Lease => {
  const lease = createLease({ url: at, holder, timer })
  leases.push(lease)
  return lease
}

/** Retries while the store cannot be reached, as the indexer does. */
const ask = async (
  lease: Lease,
  signal: AbortSignal,
  onOther: (sight: LeaseView) => void,
): Promise<HeldLease | null> => {
  for (;;) {
    const answer = await lease.acquire(signal, onOther).catch(() => 'no answer' as const)
    if (answer !== 'no answer') return answer
  }
}

const take = async (lease: Lease): Promise<HeldLease> => {
  const held = await ask(lease, never, () => {})
  if (held === null) throw new Error('it was not waited for')
  return held
}

/** Lets all processes poll until the condition holds, without advancing the clock. */
const lookUpUntil = async (isSo: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await isSo())) {
    await clock.advance(0)
    await pause(5)
  }
}

beforeEach(async () => {
  url = await postgres.createDatabase()
  const migrated = await migratePostgres({ url })
  if (!migrated.ok) throw new Error(migrated.fault)
  clock = await createManualClock(url)
  proxy = await layProxy(url)
})

afterEach(async () => {
  for (const lease of leases) lease.close()
  leases = []
  await proxy.cut()
  await clock.close()
})

test('one process holds the lease; the other waits and learns its holder once', async () => {
  const first = await take(leaseOf('first'))
  const views: LeaseView[] = []
  const stopping = new AbortController()
  const waiting = ask(leaseOf('second'), stopping.signal, (view) => views.push(view))
  await lookUpUntil(() => views.length > 0)
  expect(views[0]).toMatchObject({ holder: 'first', generation: first.generation, isLive: true })
  stopping.abort()
  expect(await waiting).toBeNull()
  expect(views).toHaveLength(1)
  expect(first.lost.aborted).toBe(false)
  await first.release()
})

test('a released lease is acquired at once, under the next generation', async () => {
  const first = await take(leaseOf('first'))
  let second: HeldLease | null = null
  void take(leaseOf('second')).then((held) => {
    second = held
  })
  await first.release()
  await lookUpUntil(() => second !== null)
  const { generation, release } = second as unknown as HeldLease
  expect(generation).toBe(first.generation + 1)
  await release()
})

test('one of two simultaneous requests acquires the lease', async () => {
  const stopping = new AbortController()
  const names = ['a', 'b', 'c', 'd']
  const asked = names.map((name) => ask(leaseOf(name), stopping.signal, () => {}))
  const held = await Promise.race(asked)
  stopping.abort()
  const all = (await Promise.all(asked)).filter((each) => each !== null)
  expect(all).toEqual([held])
  await held?.release()
})

const readHolder = async () => {
  const [row] = await queryAt(url, 'SELECT generation::int, holder FROM lease')
  return row
}

/** Far beyond the time after which any process may take the lease. */
const longMs = 60_000
const renewed = 'SELECT clock_timestamp() = renewed_at AS is_new FROM lease'
const isRenewed = async () => (await queryAt(url, renewed))[0]?.is_new === true

describe.each(['stall', 'cut'] as const)('a holder whose connection is %s', (fault) => {
  test('loses the lease to another within ten seconds, and learns it once connected', async () => {
    const first = await take(leaseOf('first', proxy.url))
    const timer = clock.timer()
    let taken: { readonly held: HeldLease; readonly atMs: number } | null = null
    const waiting = take(leaseOf('second', url, timer)).then((held) => {
      taken = { held, atMs: clock.nowMs() }
      return taken
    })
    await proxy[fault]()
    while (taken === null) {
      await clock.advance(100)
      await expect.poll(() => taken !== null || timer.isSleeping(), { interval: 5 }).toBe(true)
    }
    const { held, atMs } = await waiting
    expect(atMs).toBeGreaterThanOrEqual(5_000)
    expect(atMs).toBeLessThan(10_000)
    expect(held.generation).toBe(first.generation + 1)
    await proxy.pass()
    await lookUpUntil(() => first.lost.aborted)
    expect(first.lost.reason).toBe('another indexer acquired it')
    await first.release()
    expect(await readHolder()).toEqual({ generation: held.generation, holder: 'second' })
    await held.release()
    expect(await readHolder()).toEqual({ generation: held.generation, holder: null })
  })

  test('keeps the lease if no other takes it', async () => {
    const first = await take(leaseOf('first', proxy.url))
    await proxy[fault]()
    await clock.advance(longMs)
    await proxy.pass()
    await lookUpUntil(isRenewed)
    expect(first.lost.aborted).toBe(false)
    expect(await readHolder()).toEqual({ generation: first.generation, holder: 'first' })
    await first.release()
  })
})

/** Does nothing else until then, as a suspended process or a busy event loop. */
const blockEventLoop = (ms: number): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

test('reads an answer that arrived while the process was suspended', async () => {
  const first = await take(leaseOf('first'))
  await clock.advance(longMs)
  for (let turn = 0; turn < 3; turn++) {
    await clock.advance(0)
    // Longer than it waits for an answer.
    blockEventLoop(2_500)
  }
  await lookUpUntil(isRenewed)
  expect(first.lost.aborted).toBe(false)
  await first.release()
})

test('a holder that finds another generation in the lease gives up at once', async () => {
  const first = await take(leaseOf('first'))
  await queryAt(url, "UPDATE lease SET generation = generation + 1, holder = 'thief'")
  await lookUpUntil(() => first.lost.aborted)
  expect(first.lost.reason).toBe('another indexer acquired it')
  await first.release()
  expect(await queryAt(url, 'SELECT holder FROM lease')).toEqual([{ holder: 'thief' }])
})

test('a short outage of the database does not end the lease', async () => {
  const first = await take(leaseOf('first', proxy.url))
  await proxy.cut()
  await clock.advance(2_000)
  await proxy.pass()
  await lookUpUntil(isRenewed)
  await clock.advance(2_000)
  expect(first.lost.aborted).toBe(false)
  await first.release()
})

test('ignores a renewal in the future, which a clock that was set back leaves behind', async () => {
  await take(leaseOf('first')).then((held) => held.release())
  await queryAt(url, "UPDATE lease SET holder = 'x', renewed_at = now() + interval '1 day'")
  const second = await take(leaseOf('second'))
  await second.release()
})

test('acquiring the lease fails if the store cannot be reached', async () => {
  await proxy.cut()
  await expect(leaseOf('first', proxy.url).acquire(never, () => {})).rejects.toThrow()
})
