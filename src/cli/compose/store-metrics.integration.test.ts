import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { queryAt, startPostgres } from '../../../test/setup/postgres.ts'
import { parsePostgresUrl } from '../../config/postgres-url.ts'
import { migratePostgres } from '../../store/postgres/postgres-store.ts'
import { pollStoreMetrics } from './store-metrics.ts'

/*
 * Reported state of the writer, second by second:
 *
 *   lease    ── renewed ── renewed ── not any more ────────
 *   reported    active     active        absent      (the store is away) unknown
 */

const postgres = await startPostgres()
const directory = mkdtempSync(join(tmpdir(), 'stockpools-watch-'))
afterAll(async () => {
  rmSync(directory, { recursive: true, force: true })
  await postgres.dispose()
})

/** A clock that stands until it is moved; waits take a moment only. */
const createHandTimer = () => {
  const state = { nowMs: 0 }
  const sleep = () => new Promise<void>((resolve) => setTimeout(resolve, 20))
  return { state, timer: { nowMs: () => state.nowMs, sleep } }
}

const targetOf = (text: string) => {
  const url = parsePostgresUrl(text)
  if (!url.ok) throw new Error(url.fault)
  return { kind: 'postgres', url: url.value } as const
}

test('the writer of a shared store is active, absent or unknown', async () => {
  const url = await postgres.createDatabase()
  expect(await migratePostgres({ url })).toMatchObject({ ok: true })
  const { state, timer } = createHandTimer()
  const watch = pollStoreMetrics(targetOf(url), timer)
  await expect.poll(watch.bytes).toBeGreaterThan(1_000_000)
  expect(watch.writer()).toBeNull()

  const renewed = (secondsAgo: number) =>
    `INSERT INTO lease VALUES (1, 3, 'host:7', now() - interval '${secondsAgo} s')
     ON CONFLICT (id) DO UPDATE SET renewed_at = excluded.renewed_at`
  await expect
    .poll(async () => {
      await queryAt(url, renewed(0))
      return watch.writer()?.state
    })
    .toBe('active')
  expect(watch.writer()).toMatchObject({ holder: 'host:7', generation: 3 })
  await queryAt(url, renewed(60))
  await expect.poll(() => watch.writer()?.state).toBe('absent')
  expect(watch.writer()?.ageSeconds).toBeGreaterThanOrEqual(60)

  await postgres.kill()
  await expect
    .poll(() => {
      state.nowMs += 11_000
      return watch.writer()?.state
    })
    .toBe('unknown')
  expect(watch.bytes()).not.toBeNull()
  await postgres.start()
  await expect.poll(() => watch.writer()?.state).toBe('absent')
  await watch.stop()
})

test('a file has a size and needs no lease, and memory has neither', async () => {
  const { timer } = createHandTimer()
  const path = join(directory, 'some.db')
  writeFileSync(path, 'x'.repeat(300))
  writeFileSync(`${path}-wal`, 'x'.repeat(20))
  const file = pollStoreMetrics({ kind: 'sqlite', path }, timer)
  expect([file.bytes(), file.writer()]).toEqual([320, null])
  const memory = pollStoreMetrics({ kind: 'memory' }, timer)
  expect([memory.bytes(), memory.writer()]).toEqual([null, null])
})
