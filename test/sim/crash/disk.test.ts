import { renameSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { confirmations } from './crash-network.ts'
import { createRestartWorld, type RestartRun, type RestartWorld } from './restart-world.ts'
import { faultsOf } from './soundness.ts'

/*
 * What happens to the file of a running index. Nothing may be half written, the log must say why
 * indexing stopped, and indexing must resume by itself once the cause is gone.
 */

let writer: DatabaseSync | null = null
let world: RestartWorld
beforeEach(() => {
  const { exec } = DatabaseSync.prototype
  // The connection that writes, whose settings no other one shares.
  vi.spyOn(DatabaseSync.prototype, 'exec').mockImplementation(function (this: DatabaseSync, sql) {
    if (sql === 'BEGIN IMMEDIATE') writer = this
    exec.call(this, sql)
  })
  world = createRestartWorld(3)
})
afterEach(async () => {
  vi.restoreAllMocks()
  await world.end()
})

const pragma = (text: string): unknown =>
  Object.values(writer?.prepare(`PRAGMA ${text}`).get() ?? {})[0]

const cursorBlockOf = async ({ store }: RestartRun): Promise<number> => {
  const header = await store.snapshot((snapshot) => snapshot.header())
  return header?.cursor?.block ?? 0
}

const loggedErrors = (): readonly string[] =>
  world.journal.of('error').map(({ message, fields }) => `${message}: ${String(fields?.cause)}`)

/** Lets the chain grow while something is wrong, then without. */
const goThrough = (wrong: () => void, repair: () => void) =>
  world.time.governing(async () => {
    const { chain, time } = world
    const run = await world.start()
    await time.pass(5000)
    const before = await cursorBlockOf(run)
    expect(before).toBe(chain.head() - confirmations)
    wrong()
    world.grow(300, 1)
    await time.pass(20_000)
    expect(await cursorBlockOf(run)).toBe(before)
    expect(await faultsOf(run.store, chain)).toEqual([])
    repair()
    await time.pass(30_000)
    expect(await cursorBlockOf(run)).toBe(chain.head() - confirmations)
    expect(await faultsOf(run.store, chain)).toEqual([])
    await Promise.all([run.stop(), time.pass(1000)])
    return loggedErrors()
  })

test('a full disk', async () => {
  const errors = await goThrough(
    () => pragma(`max_page_count = ${Number(pragma('page_count'))}`),
    () => pragma('max_page_count = 1000000'),
  )
  expect(errors).toContain('Unexpected error in the realtime loop: Error: database or disk is full')
})

test('a disk that was made read-only', async () => {
  const errors = await goThrough(
    () => writer?.exec('PRAGMA query_only = ON'),
    () => writer?.exec('PRAGMA query_only = OFF'),
  )
  const error = 'Error: attempt to write a readonly database'
  expect(errors).toContain(`Unexpected error in the realtime loop: ${error}`)
})

test('a file that was moved away, and back', async () => {
  const { path } = world
  const aside = `${path}.aside`
  const errors = await goThrough(
    () => renameSync(path, aside),
    () => renameSync(aside, path),
  )
  expect(errors).toContain(
    `Unexpected error in the realtime loop: Error: store ${path} was moved or deleted while in use`,
  )
})

test('a file that was deleted', async () => {
  const { path } = world
  await world.time.governing(async () => {
    const run = await world.start()
    await world.time.pass(5000)
    for (const end of ['', '-wal', '-shm']) rmSync(`${path}${end}`)
    world.grow(5, 1)
    await world.time.pass(5000)
    await Promise.all([run.stop(), world.time.pass(1000)])
    const again = await world.start()
    await world.time.pass(10_000)
    expect(await cursorBlockOf(again)).toBe(world.chain.head() - confirmations)
    expect(await faultsOf(again.store, world.chain)).toEqual([])
    await Promise.all([again.stop(), world.time.pass(1000)])
  })
  expect(loggedErrors().join('\n')).toContain('was moved or deleted while in use')
})
