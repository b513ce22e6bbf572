import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { queryAt, startPostgres } from '../../../test/setup/postgres.ts'
import { layProxy, type TcpProxy } from '../../../test/setup/tcp-proxy.ts'
import { systemTimer } from '../../net/timer.ts'
import { createLease, type HeldLease, type Lease, type LeaseSight } from './lease.ts'
import { migratePostgres } from './postgres-store.ts'

vi.setConfig({ testTimeout: 60_000 })

/*
 * Who may write. Two that want to, on one database; every line of a drawing is a second:
 *
 *   first    ████████ ✗ cut off     gives up by itself after 3.7 s
 *   second   ........................██████  takes it after 5 s
 */

const postgres = await startPostgres()
afterAll(postgres.dispose, 60_000)

let url = ''
let proxy: TcpProxy
let leases: Lease[] = []
const never = new AbortController().signal

const leaseOf = (holder: string, at = url): Lease => {
  const lease = createLease({ url: at, holder, timer: systemTimer })
  leases.push(lease)
  return lease
}

const take = async (lease: Lease): Promise<HeldLease> => {
  const held = await lease.take(never, () => {})
  if (held === null) throw new Error('it was not waited for')
  return held
}

const untilLost = (held: HeldLease): Promise<number> =>
  new Promise((resolve) => {
    held.lost.addEventListener('abort', () => resolve(performance.now()))
  })

beforeEach(async () => {
  url = await postgres.createDatabase()
  const migrated = await migratePostgres({ url })
  if (!migrated.ok) throw new Error(migrated.fault)
  proxy = await layProxy(url)
})

afterEach(async () => {
  for (const lease of leases) lease.close()
  leases = []
  await proxy.cut()
})

test('one holds it, the other waits and is told for whom, once', async () => {
  const first = await take(leaseOf('first'))
  const told: LeaseSight[] = []
  const stopping = new AbortController()
  const waiting = leaseOf('second').take(stopping.signal, (sight) => told.push(sight))
  await expect.poll(() => told.length, { timeout: 10_000 }).toBe(1)
  expect(told[0]).toMatchObject({ holder: 'first', generation: first.generation, isLive: true })
  stopping.abort()
  expect(await waiting).toBeNull()
  expect(first.lost.aborted).toBe(false)
  await first.release()
})

test('given back it is taken at once, under the next generation', async () => {
  const first = await take(leaseOf('first'))
  const waiting = take(leaseOf('second'))
  const begunMs = performance.now()
  await first.release()
  const second = await waiting
  expect(second.generation).toBe(first.generation + 1)
  expect(performance.now() - begunMs).toBeLessThan(4_900)
  await second.release()
})

test('of two that ask at the same moment one gets it', async () => {
  const stopping = new AbortController()
  const asked = ['a', 'b', 'c', 'd'].map((name) => leaseOf(name).take(stopping.signal, () => {}))
  const held = await Promise.race(asked)
  stopping.abort()
  const all = (await Promise.all(asked)).filter((each) => each !== null)
  expect(all).toEqual([held])
  await held?.release()
})

describe.each(['stall', 'cut'] as const)('a holder whose connection is %s', (fault) => {
  test('gives up before another can take it, within ten seconds', async () => {
    const first = await take(leaseOf('first', proxy.url))
    const lost = untilLost(first)
    const waiting = take(leaseOf('second')).then((held) => ({ held, atMs: performance.now() }))
    const begunMs = performance.now()
    await proxy[fault]()
    const lostMs = await lost
    const { held, atMs } = await waiting
    expect(lostMs).toBeLessThan(atMs)
    expect(atMs - begunMs).toBeLessThan(10_000)
    expect(held.generation).toBe(first.generation + 1)
    await Promise.all([first.release(), held.release()])
    const [row] = await queryAt(url, 'SELECT generation, holder FROM lease')
    expect([Number(row?.generation), row?.holder]).toEqual([held.generation, null])
  })
})

test('a holder that finds another generation in the lease gives up at once', async () => {
  const first = await take(leaseOf('first'))
  const lost = untilLost(first)
  await queryAt(url, "UPDATE lease SET generation = generation + 1, holder = 'thief'")
  await lost
  expect(first.lost.reason).toBe('another indexer has taken it')
  await first.release()
  expect(await queryAt(url, 'SELECT holder FROM lease')).toEqual([{ holder: 'thief' }])
})

test('a database that was away for a moment costs nobody the lease', async () => {
  const first = await take(leaseOf('first', proxy.url))
  await proxy.cut()
  await proxy.pass()
  const renewed = 'SELECT clock_timestamp() - renewed_at < $$0.9 s$$::interval AS is_new FROM lease'
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  await expect.poll(() => queryAt(url, renewed), { timeout: 10_000 }).toEqual([{ is_new: true }])
  expect(first.lost.aborted).toBe(false)
  await first.release()
})

test('a renewal of tomorrow is of a clock that was set back, and binds nobody', async () => {
  await take(leaseOf('first')).then((held) => held.release())
  await queryAt(url, "UPDATE lease SET holder = 'x', renewed_at = now() + interval '1 day'")
  const second = await take(leaseOf('second'))
  await second.release()
})

test('a store that can not be asked is told to whoever wants the lease', async () => {
  await proxy.cut()
  await expect(leaseOf('first', proxy.url).take(never, () => {})).rejects.toThrow()
})
