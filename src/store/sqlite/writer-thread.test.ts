import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Store } from '../../ports/store.ts'
import {
  allOf,
  anchorAt,
  batchOf,
  chain,
  day,
  identityOf,
  stateOf,
  swapAt,
} from '../contract/fixtures.ts'
import { createThreadedSqliteStore } from './writer-thread.ts'

/*
 * The same store, whose writer lives in another thread: what is written there is read here.
 *
 *     this thread     commit ------.           .----> committed     read
 *     the writer's                 '--> disk --'
 */

const folderForTest = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'stockpools-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const openForTest = async (path: string): Promise<Store> => {
  const opened = await createThreadedSqliteStore({ path })
  if (!opened.ok) throw new Error(opened.fault)
  return opened.value
}

test('a batch arrives whole, and its ticks come back in order', async () => {
  const store = await openForTest(join(folderForTest(), 'store.db'))
  await store.begin(chain, day)
  const swap = swapAt({ pool: 1, block: 2 }, { amount0: -(2n ** 127n), recipient: null })
  const ticks = [
    { pool: 1, tick: -60, net: 2n ** 100n, gross: 2n ** 100n },
    { pool: 1, tick: 60, net: -(2n ** 100n), gross: 2n ** 100n },
  ]
  const states = [{ pool: 1, state: stateOf(9n) }]
  const pools = [identityOf(1)]
  const batch = batchOf({ before: null, to: 2 }, { pools, states, swaps: [swap], ticks })
  expect(await store.commit(batch)).toBe('committed')
  expect(await store.commit(batch)).toBe('committed')
  const query = { pool: 1, fromTs: day, rowsMax: 10 }
  expect(await store.snapshot((snapshot) => snapshot.swaps(query))).toEqual([swap])
  expect(await allOf(store.readTicks())).toEqual(ticks)
  await store.close()
})

test('what goes wrong there is told here, and the thread goes on', async () => {
  const store = await openForTest(join(folderForTest(), 'store.db'))
  await expect(store.recordHead(anchorAt(1))).rejects.toThrow('store')
  expect(await store.begin(chain, day)).toBe('ready')
  await store.recordHead(anchorAt(1))
  await store.close()
  await expect(store.recordHead(anchorAt(2))).rejects.toThrow('has ended')
})

test('a path that can not be a store is refused in one line that names it', async () => {
  const folder = folderForTest()
  const refused = await createThreadedSqliteStore({ path: folder })
  expect(refused.ok ? '' : refused.fault).toContain(folder)
})
