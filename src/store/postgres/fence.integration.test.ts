import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { queryAt, startPostgres } from '../../../test/setup/postgres.ts'
import { layProxy, type TcpProxy } from '../../../test/setup/tcp-proxy.ts'
import { unlimited } from '../../../test/support/store/patience.ts'
import { systemTimer } from '../../net/timer.ts'
import type { Store } from '../../ports/store.ts'
import { createConnectionMutex } from '../shared/session.ts'
import { openPool } from './connection-pool.ts'
import { createLease, type HeldLease, type Lease } from './lease.ts'
import { noPartitions } from './partitions.ts'
import { createPostgresStore, migratePostgres } from './postgres-store.ts'
import { isLeaseLostError } from './write-errors.ts'
import { createWriteTransactions } from './write-transaction.ts'

/*
 * Two processes believe that they hold the lease, but only one of them can write:
 *
 *   first    takes ── begins a write ──────────── stalls ──────────── commits ✗
 *   second                               takes ── writes ✓
 */

const postgres = await startPostgres()
afterAll(postgres.dispose)

const never = new AbortController().signal
const identity = { chainId: 1, network: 'sample', originHash: null }
const head = (block: number) => ({ block, hash: `0x${'a'.repeat(64)}`, ts: 1_800_000_000 }) as const

let url = ''
let proxy: TcpProxy
let ends: (() => Promise<unknown>)[] = []

type Writer = { readonly lease: Lease; readonly held: HeldLease; readonly store: Store }

const storeAt = async (at: string, fence: number, limits = {}): Promise<Store> => {
  const store = await createPostgresStore({ url: at, leaseGeneration: fence, limits })
  if (!store.ok) throw new Error(store.fault)
  ends.push(store.value.close)
  return store.value
}

/** Retries while the store cannot be reached, as the indexer does. */
const take = async (lease: Lease): Promise<HeldLease> => {
  for (;;) {
    const held = await lease.acquire(never, () => {}).catch(() => null)
    if (held !== null) return held
  }
}

const writerAt = async (at: string, limits = {}): Promise<Writer> => {
  const lease = createLease({ url: at, holder: 'writer', timer: systemTimer })
  const held = await take(lease)
  ends.push(async () => lease.close(), held.release)
  return { lease, held, store: await storeAt(at, held.generation, limits) }
}

const readHead = async (): Promise<number | null> => {
  const [row] = await queryAt(url, 'SELECT head_block::int AS block FROM header')
  return row?.block as number | null
}

beforeEach(async () => {
  url = await postgres.createDatabase()
  const migrated = await migratePostgres({ url })
  if (!migrated.ok) throw new Error(migrated.fault)
  proxy = await layProxy(url)
})

afterEach(async () => {
  await proxy.cut()
  await Promise.all(ends.map((end) => end().catch(() => {})))
  ends = []
})

test('rolls back a write that began before another process took the lease', async () => {
  const first = await writerAt(url, unlimited)
  await first.store.claim(identity, 1)
  await first.store.recordHead(head(10))
  // Locks a row that the write needs, so that it stops half way.
  const keeper = new Client({ connectionString: url })
  await keeper.connect()
  await keeper.query('BEGIN; SELECT * FROM header FOR UPDATE')
  const writing = first.store.recordHead(head(11)).catch((error: unknown) => error)
  const waiting = "SELECT 1 AS one FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
  await expect.poll(() => queryAt(url, waiting)).toEqual([{ one: 1 }])
  await keeper.query("UPDATE lease SET generation = generation + 1, holder = 'second'; COMMIT")
  await keeper.end()
  expect(isLeaseLostError(await writing)).toBe(true)
  expect(await readHead()).toBe(10)
  const second = await storeAt(url, first.held.generation + 1)
  await second.recordHead(head(12))
  expect(await readHead()).toBe(12)
})

test('a writer that stalls before its commit blocks no other and commits nothing', async () => {
  const first = await writerAt(proxy.url)
  await first.store.claim(identity, 1)
  const stalled = proxy.stallAtCommit()
  const writing = first.store.recordHead(head(11)).then(
    () => null,
    (error: unknown) => error,
  )
  await stalled
  // The first writer is still stalled.
  const second = await writerAt(url)
  await second.store.recordHead(head(12))
  await proxy.pass()
  expect(await writing).not.toBeNull()
  expect(await readHead()).toBe(12)
})

test('a commit renews the lease', async () => {
  // Without the commit any process might take it.
  await queryAt(url, "INSERT INTO lease VALUES (1, 7, 'x', now() - interval '1 day')")
  const store = await storeAt(url, 7)
  await store.claim(identity, 1)
  const isYoung = "SELECT now() - renewed_at < interval '1 hour' AS is_young FROM lease"
  expect(await queryAt(url, isYoung)).toEqual([{ is_young: true }])
})

test('a write whose connection breaks before its COMMIT is tried again', async () => {
  await queryAt(url, "INSERT INTO lease VALUES (1, 7, 'x', now())")
  const store = await storeAt(url, 7, unlimited)
  await store.claim(identity, 1)
  const keeper = new Client({ connectionString: url })
  await keeper.connect()
  await keeper.query('BEGIN; SELECT * FROM header FOR UPDATE')
  const writing = store.recordHead(head(11))
  const ended = `SELECT pg_terminate_backend(pid) AS is_ended FROM pg_stat_activity
    WHERE wait_event_type = 'Lock' AND application_name = 'stockpools index'`
  await expect.poll(() => queryAt(url, ended)).toEqual([{ is_ended: true }])
  await keeper.query('COMMIT')
  await keeper.end()
  await writing
  expect(await readHead()).toBe(11)
})

test('a write of a process that was suspended right before its COMMIT is tried again', async () => {
  await queryAt(url, "INSERT INTO lease VALUES (1, 7, 'x', now())")
  const limits = { ...unlimited, idleInTransactionMsMax: 100 }
  const store = await storeAt(proxy.url, 7, limits)
  await store.claim(identity, 1)
  const stalled = proxy.stallAtCommit()
  const writing = store.recordHead(head(11))
  await stalled
  const sessions = "SELECT 1 FROM pg_stat_activity WHERE state = 'idle in transaction'"
  await expect.poll(() => queryAt(url, sessions)).toEqual([])
  await proxy.pass()
  await writing
  expect(await readHead()).toBe(11)
})

test('a write that finds no connection at first is tried again', async () => {
  await queryAt(url, "INSERT INTO lease VALUES (1, 7, 'x', now())")
  const store = await storeAt(proxy.url, 7, { connectMsMax: 1_000 })
  await proxy.cut()
  await proxy.pass()
  await proxy.stall()
  const writing = store.claim(identity, 1)
  await sleep(1_500)
  await proxy.pass()
  await writing
  expect(await queryAt(url, 'SELECT network FROM header')).toEqual([{ network: 'sample' }])
})

test('a write whose connection ends with its last answer is tried again', async () => {
  const limits = { ...unlimited, idleInTransactionMsMax: 100 }
  const options = { url, name: 'test', connectionsMax: 1, statementMsMax: 60_000 }
  const pool = openPool({ ...options, logger: undefined, limits })
  ends.push(() => pool.end())
  const mutex = createConnectionMutex()
  const parts = { pool, mutex, leaseGeneration: null, notifies: false, partitions: noPartitions }
  const { write } = createWriteTransactions(parts)
  let tries = 0
  await write(async (tx) => {
    tries += 1
    await tx.texts("INSERT INTO lease VALUES (1, 7, 'x', now())")
    const answer = tx.texts('SELECT pg_sleep(0.2)')
    await setImmediate()
    // As a suspension of the process: the server answers, waits and ends the connection.
    if (tries === 1) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_000)
    await answer
  })
  expect(await queryAt(url, 'SELECT generation::int FROM lease')).toEqual([{ generation: 7 }])
})
