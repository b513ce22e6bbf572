import { Client } from 'pg'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { queryAt, startPostgres } from '../../../test/setup/postgres.ts'
import { layProxy } from '../../../test/setup/tcp-proxy.ts'
import {
  batchOf,
  blockRefAt,
  chain,
  contentsOf,
  day,
  swapAt,
} from '../../../test/store-contract/fixtures.ts'
import { opened } from '../../../test/support/store/benches.ts'
import { unlimited } from '../../../test/support/store/patience.ts'
import type { Store } from '../../ports/store.ts'
import type { PoolLimits } from './connection-pool.ts'
import { listenForChanges } from './listen.ts'
import { createPostgresStore } from './postgres-store.ts'
import { isInDoubt, isLeaseLostError } from './write-errors.ts'

const server = await startPostgres()
afterAll(server.dispose)

let url = ''
beforeEach(async () => {
  url = await server.createDatabase()
})

type Opening = { readonly fence?: number; readonly limits?: Partial<PoolLimits> }

const openAt = async (at: string, { fence, limits = unlimited }: Opening = {}): Promise<Store> => {
  const store = opened(
    await createPostgresStore({ url: at, leaseGeneration: fence ?? null, limits }),
  )
  if (fence === undefined) await store.claim(chain, day)
  return store
}

const numbered = (block: number) =>
  batchOf(
    { before: block === 1 ? null : block - 1, to: block },
    { swaps: [swapAt({ pool: 1, block })] },
  )

const indexedOf = (store: Store) =>
  store.snapshot(async (snapshot) => (await snapshot.header())?.cursor?.block ?? 0)

/** Retries until the store answers, as its callers do. */
const persist = async <T>(ask: () => Promise<T>): Promise<T> => {
  let answer: { readonly value: T } | null = null
  await expect
    .poll(async () => {
      answer = await ask().then(
        (value) => ({ value }),
        () => null,
      )
      return answer !== null
    })
    .toBe(true)
  return (answer as unknown as { readonly value: T }).value
}

describe('a server that is killed during commits', () => {
  test('stores each batch exactly once', async () => {
    const store = await openAt(url, { limits: {} })
    const last = 60
    let killing: Promise<void> | null = null
    for (let block = 1; block <= last; block++) {
      if (block % 25 === 10) {
        await killing
        killing = server.kill().then(server.start)
      }
      const outcome = await persist(() => store.commitRange(numbered(block)))
      expect(outcome).toBe('committed')
    }
    await killing
    const { volume, header } = await contentsOf(store)
    expect(header?.cursor?.block).toBe(last)
    expect(volume.reduce((sum, { swaps }) => sum + swaps, 0)).toBe(last)
    await store.close()
  })
})

//   store ── COMMIT ──► proxy ── COMMIT ──► server
//   store    ✗ ◄─────── proxy ◄── done ──── server
describe('a COMMIT whose answer is lost', () => {
  test('is found in the store and reported as committed', async () => {
    const proxy = await layProxy(url)
    const store = await openAt(proxy.url)
    const lost = proxy.loseCommitAnswer()
    expect(await store.commitRange(numbered(1))).toBe('committed')
    await lost
    expect(await store.commitRange(numbered(1))).toBe('committed')
    expect((await contentsOf(store)).volume).toHaveLength(1)
    await store.close()
    await proxy.cut()
  })

  test('is reported as a failure if it never arrived, and a retry succeeds', async () => {
    const proxy = await layProxy(url)
    const store = await openAt(proxy.url)
    const stalled = proxy.stallAtCommit()
    const outcome = store.commitRange(numbered(1)).catch((error: unknown) => error)
    await stalled
    await proxy.cut()
    await proxy.pass()
    expect(isInDoubt(await outcome)).toBe(true)
    expect(await indexedOf(store)).toBe(0)
    expect(await store.commitRange(numbered(1))).toBe('committed')
    await store.close()
    await proxy.cut()
  })
})

describe('the lease', () => {
  const setGeneration = (generation: number) =>
    queryAt(
      url,
      `INSERT INTO lease VALUES (1, ${generation}, 'other', now())
       ON CONFLICT (id) DO UPDATE SET generation = excluded.generation`,
    )

  test('rejects all writes of another generation, also of an earlier holder', async () => {
    await (await openAt(url)).close()
    await setGeneration(4)
    const first = await openAt(url, { fence: 4 })
    expect(await first.commitRange(numbered(1))).toBe('committed')
    await setGeneration(5)
    const second = await openAt(url, { fence: 5 })
    const outcome = await first.commitRange(numbered(2)).catch((error: unknown) => error)
    expect(isLeaseLostError(outcome)).toBe(true)
    expect(await indexedOf(second)).toBe(1)
    expect(await second.commitRange(numbered(2))).toBe('committed')
    for (const write of [
      () => first.recordHead(blockRefAt(9)),
      () => first.claim(chain, day + 9),
    ]) {
      expect(isLeaseLostError(await write().catch((error: unknown) => error))).toBe(true)
    }
    await first.close()
    await second.close()
  })

  test('rejects all writes while no process holds it', async () => {
    await (await openAt(url)).close()
    const store = await openAt(url, { fence: 1 })
    expect(isLeaseLostError(await store.claim(chain, day).catch((error: unknown) => error))).toBe(
      true,
    )
    await store.close()
  })
})

test('a write waits for a locked header, then gives up', async () => {
  const store = await openAt(url, { limits: {} })
  const holder = new Client({ connectionString: url })
  await holder.connect()
  await holder.query('BEGIN')
  await holder.query('SELECT 1 FROM header FOR UPDATE')
  await expect(store.commitRange(numbered(1))).rejects.toThrow(/lock timeout/)
  await holder.query('ROLLBACK')
  await holder.end()
  expect(await store.commitRange(numbered(1))).toBe('committed')
  await store.close()
})

test('disconnects a reader that stalls in a snapshot, so that it blocks no writer', async () => {
  const store = await openAt(url, { limits: {} })
  const stopped = store.snapshot(async (snapshot) => {
    await snapshot.header()
    await expect.poll(() => snapshot.header().catch(() => 'gone'), { interval: 6_000 }).toBe('gone')
  })
  await stopped.catch(() => undefined)
  expect(await indexedOf(store)).toBe(0)
  await store.close()
})

test('a listener receives each change, also after its connection broke', async () => {
  const store = await openAt(url)
  let heard = 0
  const listening = listenForChanges({ url, onChange: () => heard++ })
  await expect.poll(() => heard).toBe(1)
  await store.commitRange(numbered(1))
  await expect.poll(() => heard).toBe(2)
  await queryAt(
    url,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE application_name = 'stockpools listen' AND datname = current_database()`,
  )
  await expect.poll(() => heard).toBe(3)
  await store.commitRange(numbered(2))
  await expect.poll(() => heard).toBe(4)
  await listening.close()
  await store.close()
})
