import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { chain, contentsOf, day } from '../../../test/store-contract/fixtures.ts'
import {
  batchNumber,
  branchEnd,
  replacementNumber,
} from '../../../test/support/store/numbered-batches.ts'
import type { Store } from '../../ports/store.ts'
import { createSqliteReader, createSqliteStore } from './sqlite-store.ts'

const script = new URL('../../../test/support/store/committing-process.ts', import.meta.url)
const replacing = new URL('../../../test/support/store/replacing-process.ts', import.meta.url)

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stockpools-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const open = (path: string): Store => {
  const opened = createSqliteStore({ path })
  if (!opened.ok) throw new Error(opened.fault)
  return opened.value
}

/** Lets a process commit for so long, kills it, and answers the last batch it acknowledged. */
const commitUntilKilled = async (path: string, ms: number, program = script) => {
  const child = fork(program, [path], { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
  let acknowledged = 0
  let complaint = ''
  child.stderr?.on('data', (text) => {
    complaint += text
  })
  child.on('message', (number) => {
    acknowledged = Number(number)
  })
  const gone = once(child, 'exit')
  await Promise.race([once(child, 'message'), gone])
  await setTimeout(ms)
  child.kill('SIGKILL')
  const [, signal] = await gone
  expect({ signal, complaint }).toEqual({ signal: 'SIGKILL', complaint: '' })
  return acknowledged
}

/** What a store holds that was never killed, brought forward from one look to the next. */
const createUndisturbed = async () => {
  const store = open(':memory:')
  await store.claim(chain, day)
  let done = 0
  return async (number: number) => {
    while (done < number) await store.commitRange(batchNumber(++done))
    return contentsOf(store)
  }
}

const integrityOf = (path: string): unknown => {
  const db = new DatabaseSync(path, { readOnly: true })
  const answer = db.prepare('PRAGMA integrity_check').get()
  db.close()
  return answer
}

/** Instants after the first acknowledgement: at once, in the middle, after many a checkpoint. */
const killsAfterMs = [0, 1, 3, 7, 20, 45, 90, 180, 350, 11]

test('killed at any instant, a store holds whole batches, all acknowledged ones', async () => {
  const path = join(folder, 'store.db')
  const undisturbed = await createUndisturbed()
  for (const ms of killsAfterMs) {
    const acknowledged = await commitUntilKilled(path, ms)
    const store = open(path)
    const contents = await contentsOf(store)
    const batches = contents.header?.cursor?.block ?? 0
    expect(batches).toBeGreaterThanOrEqual(acknowledged)
    expect(contents).toEqual(await undisturbed(batches))
    expect(integrityOf(path)).toEqual({ integrity_check: 'ok' })
    await store.close()
  }
})

/** What a store holds after so many replacements that was never killed. */
const createReplaced = async () => {
  const store = open(':memory:')
  await store.claim(chain, day)
  for (let number = 1; number <= branchEnd; number++) await store.commitRange(batchNumber(number))
  let done = 0
  return async (number: number) => {
    while (done < number) await store.replaceBranch(replacementNumber(++done))
    return contentsOf(store)
  }
}

test('killed while it replaces a branch, a store holds the old or the new one, whole', async () => {
  const path = join(folder, 'store.db')
  const undisturbed = await createReplaced()
  for (const ms of [0, 2, 6, 15, 40, 90]) {
    const acknowledged = await commitUntilKilled(path, ms, replacing)
    const store = open(path)
    const contents = await contentsOf(store)
    const { epoch = 0 } = contents.header ?? {}
    expect(epoch).toBeGreaterThanOrEqual(acknowledged)
    expect(contents).toEqual(await undisturbed(epoch))
    expect(integrityOf(path)).toEqual({ integrity_check: 'ok' })
    await store.close()
  }
})

test('after a kill a reader alone sees what was committed, before any writer comes', async () => {
  const path = join(folder, 'store.db')
  const acknowledged = await commitUntilKilled(path, 30)
  const opened = createSqliteReader({ path })
  if (!opened.ok) throw new Error(opened.fault)
  const header = await opened.value.snapshot((snapshot) => snapshot.header())
  await opened.value.close()
  expect(header?.cursor?.block).toBeGreaterThanOrEqual(acknowledged)
})
