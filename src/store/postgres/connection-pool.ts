import { Client, type ClientBase, Pool } from 'pg'
import type { Logger } from '../../ports/runtime.ts'
import { classifyConnectError } from './connection-check.ts'

/** Timeouts of connections, and of the server for this process. */
export type PoolLimits = {
  readonly connectMsMax: number
  readonly lockMsMax: number
  readonly idleInTransactionMsMax: number
  readonly responseMsMax: number
}

const limitsDefault: PoolLimits = {
  connectMsMax: 5_000,
  lockMsMax: 5_000,
  /** A process that stalls inside a transaction keeps its locks no longer than the lease. */
  idleInTransactionMsMax: 5_000,
  /** Beyond the statement timeout, for a server that does not respond at all. */
  responseMsMax: 2_000,
}
const keepAliveAfterMs = 10_000
const idleMsMax = 30_000

/** Not as startup options, which poolers and PostgreSQL-compatible servers may reject. */
const limitsQuery = (statementMsMax: number, limits: PoolLimits): string => `SELECT
  set_config('statement_timeout', '${statementMsMax}', false),
  set_config('lock_timeout', '${limits.lockMsMax}', false),
  set_config('idle_in_transaction_session_timeout', '${limits.idleInTransactionMsMax}', false)`

const texts = { getTypeParser: () => (text: string) => text }

/** Values arrive as text; the columns' codecs convert them. */
export const connectionOptions = (url: string, name: string, limits = limitsDefault) => ({
  connectionString: url,
  application_name: name,
  connectionTimeoutMillis: limits.connectMsMax,
  keepAlive: true,
  keepAliveInitialDelayMillis: keepAliveAfterMs,
  types: texts,
})

export type PoolOptions = {
  readonly url: string
  /** `application_name`, shown in `pg_stat_activity`. */
  readonly name: string
  readonly connectionsMax: number
  readonly statementMsMax: number
  readonly logger: Logger | undefined
  readonly limits?: Partial<PoolLimits> | undefined
}

export const openPool = (options: PoolOptions): Pool => {
  const { url, name, connectionsMax, statementMsMax, logger } = options
  const limits = { ...limitsDefault, ...options.limits }
  const pool = new Pool({
    ...connectionOptions(url, name, limits),
    max: connectionsMax,
    idleTimeoutMillis: idleMsMax,
    query_timeout: statementMsMax + limits.responseMsMax,
    onConnect: async (client: ClientBase) => {
      await client.query(limitsQuery(statementMsMax, limits))
    },
  })
  // A connection that breaks in use rejects its query; an idle one only emits these events.
  pool.on('connect', (client) => client.on('error', () => {}))
  pool.on('error', (error) => {
    logger?.debug('store: an idle connection ended', { reason: classifyConnectError(error).fault })
  })
  return pool
}

const endMsMax = 2_000

/** Limits how long an unreachable server delays a shutdown. */
export const waitAtMost = async (ending: Promise<void>): Promise<void> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, endMsMax)
  })
  await Promise.race([ending, late])
  clearTimeout(timer)
}

/** Waits until all connections are returned. */
export const endPool = (pool: Pool): Promise<void> => (pool.ending ? Promise.resolve() : pool.end())

/** Host and database, without user and password. */
export const displayUrl = (url: string): string => {
  try {
    const { host, pathname } = new URL(url)
    return `postgres://${host}${pathname}`
  } catch {
    return 'postgres://?'
  }
}

/** One line with the store's host and database, without secrets. */
export const describeConnectError = (url: string, error: unknown): string =>
  `store ${displayUrl(url)} ${classifyConnectError(error).fault}`

/** A connection for one-time work such as migrations; limits only the wait for locks. */
export const withClient = async <T>(
  url: string,
  work: (client: Client) => Promise<T>,
): Promise<T> => {
  const client = new Client(connectionOptions(url, 'stockpools start'))
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query(`SELECT set_config('lock_timeout', '${limitsDefault.lockMsMax}', false)`)
    return await work(client)
  } finally {
    await client.end().catch(() => undefined)
  }
}
