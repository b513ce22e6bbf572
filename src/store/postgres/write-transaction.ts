import { randomInt, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool, PoolClient } from 'pg'
import type { Mutex } from '../../util/mutex.ts'
import type { Eventual } from '../shared/session.ts'
import type { Transaction, WriteConnection } from '../shared/transaction.ts'
import { lockHeader, readLastWriteId, saveHeader } from './header.ts'
import type { Partitions } from './partitions.ts'
import { createRowWriters } from './row-writers.ts'
import { createSession, type PostgresSession } from './session.ts'
import { createLeaseLostError, isInDoubt } from './write-errors.ts'

export type PostgresTransaction = PostgresSession & Transaction
export type PostgresConnection = WriteConnection<PostgresTransaction>

export type WriteDeps = {
  readonly pool: Pool
  readonly mutex: Mutex
  readonly leaseGeneration: number | null
  readonly notifies: boolean
  readonly partitions: Partitions
}

/** Serialization failure and deadlock: the server asks for the same once more. */
const retried = new Set(['40001', '40P01'])
const triesMax = 5
const retryMsMax = 40

const isRetried = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && retried.has(String(error.code))

/** How often the store is asked whether a commit is in whose answer was lost. */
const doubtTriesMax = 4
const doubtWaitMs = 250

const fenceText = 'SELECT 1 FROM lease WHERE id = 1 AND generation = ? FOR SHARE'

const assertFence = async ({ texts }: PostgresSession, fence: number | null): Promise<void> => {
  if (fence === null) return
  if ((await texts(fenceText, [fence])).length === 0) throw createLeaseLostError(fence)
}

/** Ends a transaction that failed, or its connection where that is in an unknown state. */
const giveUp = async (client: PoolClient, error: unknown): Promise<void> => {
  if (isInDoubt(error)) return client.release(true)
  await client.query('ROLLBACK').then(
    () => client.release(),
    () => client.release(true),
  )
}

const createDoubt = (pool: Pool) => {
  const ask = async (): Promise<string | null> => {
    const client = await pool.connect()
    try {
      const id = await readLastWriteId(createSession(client))
      client.release()
      return id
    } catch (error) {
      client.release(true)
      throw error
    }
  }
  /** Whether the write is in; false also where nobody can say. */
  return async (writeId: string): Promise<boolean> => {
    for (let tries = 1; tries <= doubtTriesMax; tries++) {
      try {
        return (await ask()) === writeId
      } catch {
        await sleep(doubtWaitMs * tries)
      }
    }
    return false
  }
}

type Work<T> = (tx: PostgresTransaction) => Eventual<T>

export const createWriteTransactions = (parts: WriteDeps): PostgresConnection => {
  const { pool, mutex, leaseGeneration: fence, notifies, partitions } = parts
  const isIn = createDoubt(pool)

  const commit = async (client: PoolClient, writeId: string): Promise<void> => {
    try {
      await client.query('COMMIT')
      client.release()
    } catch (error) {
      client.release(true)
      if (!isInDoubt(error) || !(await isIn(writeId))) throw error
    }
  }

  const attempt = async <T>(work: Work<T>): Promise<T> => {
    const client = await pool.connect()
    const session = createSession(client)
    const writeId = randomUUID()
    const tx: PostgresTransaction = {
      ...session,
      rows: createRowWriters(session, partitions),
      header: () => lockHeader(session),
      saveHeader: (header) => saveHeader(session, header, { writeId, notifies }),
    }
    let result: T
    try {
      await client.query('BEGIN')
      result = await work(tx)
      await assertFence(tx, fence)
    } catch (error) {
      await giveUp(client, error)
      throw error
    }
    await commit(client, writeId)
    return result
  }

  const persist = async <T>(work: Work<T>): Promise<T> => {
    for (let tries = 1; ; tries++) {
      try {
        return await attempt(work)
      } catch (error) {
        partitions.clearCache()
        if (!isRetried(error) || tries === triesMax) throw error
        await sleep(randomInt(1, retryMsMax * tries))
      }
    }
  }

  return {
    write: (work) => mutex(() => persist(work)),
    read: (work) =>
      mutex(async () => {
        const client = await pool.connect()
        try {
          const result = await work(createSession(client))
          client.release()
          return result
        } catch (error) {
          client.release(true)
          throw error
        }
      }),
  }
}
