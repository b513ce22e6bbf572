import { afterAll, expect, test } from 'vitest'
import { queryAt, startPostgres, startReplica } from './postgres.ts'

/*
 * The database that other tests rely on is a real one, which keeps what was committed when it is
 * killed, and whose replica follows a moment later.
 */

const primary = await startPostgres()
afterAll(primary.dispose)

test('what was committed is there after a kill', async () => {
  const url = await primary.createDatabase()
  await queryAt(url, 'CREATE TABLE kept AS SELECT 42 AS answer')
  await primary.kill()
  await expect(queryAt(url, 'SELECT 1')).rejects.toThrow()
  await primary.start()
  expect(await queryAt(url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }])
})

test('a replica returns what the primary stored', async () => {
  const replica = await startReplica(primary)
  try {
    await primary.query('CREATE TABLE replicated AS SELECT 7 AS answer')
    const lag = "SELECT to_regclass('replicated') IS NOT NULL AS here"
    await expect.poll(() => replica.query(lag)).toEqual([{ here: true }])
    expect(await replica.query('SELECT answer FROM replicated')).toEqual([{ answer: 7 }])
    await expect(replica.query('CREATE TABLE refused ()')).rejects.toThrow(/read-only/)
  } finally {
    await replica.dispose()
  }
})
