import { randomInt, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ClientBase, Pool, PoolClient } from 'pg'
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

/**
 * Serialization failure, deadlock, and the end of a connection whose transaction was suspended for
 * longer than the server allows: nothing was committed, and the client must retry.
 */
const retryStates = new Set(['40001', '40P01', '25P03'])
const triesMax = 5
const retryMsMax = 40

const uncommittedName = 'Uncommitted'

const isRetried = (error: unknown): boolean =>
  error instanceof Error &&
  (error.name === uncommittedName || ('code' in error && retryStates.has(String(error.code))))

/** No connection, or it broke before the COMMIT was sent: nothing was committed. */
const createUncommittedError = (cause: unknown): Error => {
  const error = new Error(`store: connection broke in a transaction: ${String(cause)}`, { cause })
  return Object.assign(error, { name: uncommittedName })
}

/** Attempts to find out whether a commit is stored whose answer was lost. */
const doubtTriesMax = 4
const doubtWaitMs = 250

const leaseQuery = `UPDATE lease SET renewed_at = clock_timestamp()
  WHERE id = 1 AND generation = ? RETURNING generation`

/** Fences the transaction, and renews the lease with its commit. */
const renewLease = async ({ texts }: PostgresSession, generation: number | null): Promise<void> => {
  if (generation === null) return
  if ((await texts(leaseQuery, [generation])).length === 0) throw createLeaseLostError(generation)
}

/** Rolls back, or closes a connection whose state is unknown. */
const giveUp = async (client: PoolClient, error: unknown): Promise<void> => {
  if (isInDoubt(error)) return client.release(true)
  await client.query('ROLLBACK').then(
    () => client.release(),
    () => client.release(true),
  )
}

const createCommitCheck = (pool: Pool) => {
  const readWriteId = async (): Promise<string | null> => {
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
  /** Whether the write is stored; false if the store stays unavailable. */
  return async (writeId: string): Promise<boolean> => {
    for (let tries = 1; tries <= doubtTriesMax; tries++) {
      try {
        return (await readWriteId()) === writeId
      } catch {
        await sleep(doubtWaitMs * tries)
      }
    }
    return false
  }
}

type Work<T> = (tx: PostgresTransaction) => Eventual<T>

export const createWriteTransactions = (parts: WriteDeps): PostgresConnection => {
  const { pool, mutex, leaseGeneration, notifies, partitions } = parts
  const isStored = createCommitCheck(pool)
  const broken = new WeakSet<ClientBase>()
  pool.on('connect', (client) => client.once('error', () => broken.add(client)))

  const commit = async (client: PoolClient, writeId: string): Promise<void> => {
    try {
      await client.query('COMMIT')
      client.release()
    } catch (error) {
      client.release(true)
      if (!isInDoubt(error) || !(await isStored(writeId))) throw error
    }
  }

  const connect = async (): Promise<PoolClient> => {
    try {
      return await pool.connect()
    } catch (error) {
      throw isInDoubt(error) ? createUncommittedError(error) : error
    }
  }

  const attempt = async <T>(work: Work<T>): Promise<T> => {
    const client = await connect()
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
      await renewLease(tx, leaseGeneration)
      // It broke after the last answer: a COMMIT would not be sent.
      if (broken.has(client)) throw new Error('the connection ended')
    } catch (error) {
      await giveUp(client, error)
      throw isInDoubt(error) ? createUncommittedError(error) : error
    }
    await commit(client, writeId)
    return result
  }

  const writeWithRetries = async <T>(work: Work<T>): Promise<T> => {
    for (let tries = 1; ; tries++) {
      try {
        return await attempt(work)
      } catch (error) {
        partitions.clearCache()
        if (!isRetried(error) || tries === triesMax) {
          throw error instanceof Error && error.name === uncommittedName ? error.cause : error
        }
        await sleep(randomInt(1, retryMsMax * tries))
      }
    }
  }

  return {
    write: (work) => mutex(() => writeWithRetries(work)),
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
