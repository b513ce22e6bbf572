import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { chain, day } from '../../../test/store-contract/fixtures.ts'
import { batchNumber } from '../../../test/support/store/numbered-batches.ts'
import { createSqliteStore } from './sqlite-store.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stockpools-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const script = new URL('../../../test/support/store/reading-thread.ts', import.meta.url)
const last = 300
/** So often the writer waits until everybody has looked once more. */
const rests = 5

test('two threads that read while a third writes see whole batches, never one less', async () => {
  const path = join(folder, 'store.db')
  const opened = createSqliteStore({ path })
  if (!opened.ok) throw new Error(opened.fault)
  const store = opened.value
  await store.claim(chain, day)
  const looks = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT))
  const readers = [0, 1].map((place) => {
    const workerData = { path, last, looks, place }
    return new Worker(script, { workerData })
  })
  await Promise.all(readers.map((reader) => once(reader, 'message')))
  const reports = readers.map((reader) => once(reader, 'message'))
  let isOver = false
  void Promise.race(reports).then(() => {
    isOver = true
  })
  for (let number = 1; number <= last; number++) {
    expect(await store.commitRange(batchNumber(number))).toBe('committed')
    const wanted = Math.floor((number * rests) / last)
    do await setImmediate()
    while (!isOver && looks.some((count) => count < wanted))
  }
  for (const [faults] of await Promise.all(reports)) expect(faults).toEqual([])
  await store.close()
})
