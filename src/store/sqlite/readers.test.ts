import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { chain, day } from '../contract/fixtures.ts'
import { createSqliteStore } from './sqlite-store.ts'
import { batchNumber } from './testing/numbered-batches.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stockpools-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const script = new URL('./testing/reading-thread.ts', import.meta.url)
const last = 300

test('two threads that read while a third writes see whole batches, never one less', async () => {
  const path = join(folder, 'store.db')
  const opened = createSqliteStore({ path })
  if (!opened.ok) throw new Error(opened.fault)
  const store = opened.value
  await store.begin(chain, day)
  const readers = [1, 2].map(() => new Worker(script, { workerData: { path, last } }))
  await Promise.all(readers.map((reader) => once(reader, 'message')))
  const reports = readers.map((reader) => once(reader, 'message'))
  for (let number = 1; number <= last; number++) {
    expect(await store.commit(batchNumber(number))).toBe('committed')
    await setImmediate()
  }
  for (const [report] of await Promise.all(reports)) {
    expect(report.faults).toEqual([])
    expect(report.snapshots).toBeGreaterThan(3)
  }
  await store.close()
})
