import { Client, type ClientBase, Pool } from 'pg'
import type { Logger } from '../../ports/runtime.ts'
import { classifyConnectError } from './connection-check.ts'

/** How long a database is waited for, and how long it waits for us. */
export type PoolLimits = {
  readonly connectMsMax: number
  readonly lockMsMax: number
  readonly idleInTransactionMsMax: number
  readonly responseMsMax: number
}

const limitsDefault: PoolLimits = {
  /** Beyond these a connection or a lock is given up. */
  connectMsMax: 5_000,
  lockMsMax: 5_000,
  /** Whoever stops in the middle of a transaction must not hold its locks. */
  idleInTransactionMsMax: 3_000,
  /** The server ends a statement first; this is for a server that says nothing any more. */
  responseMsMax: 2_000,
}
const keepAliveAfterMs = 10_000
/** Connections that nobody has used for so long are closed. */
const idleMsMax = 30_000

/** By `set_config` and not at the connection's start: poolers and PostgreSQL's kin take it, too. */
const limitsText = (statementMsMax: number, limits: PoolLimits): string => `SELECT
  set_config('statement_timeout', '${statementMsMax}', false),
  set_config('lock_timeout', '${limits.lockMsMax}', false),
  set_config('idle_in_transaction_session_timeout', '${limits.idleInTransactionMsMax}', false)`

const texts = { getTypeParser: () => (text: string) => text }

/** Values come as the server writes them: the columns' codecs know what they are. */
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
  /** Seen in `pg_stat_activity`. */
  readonly name: string
  readonly connectionsMax: number
  /** Beyond it a statement is given up. */
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
      await client.query(limitsText(statementMsMax, limits))
    },
  })
  // A connection that breaks in use rejects what is asked of it; of nobody's there is only this.
  pool.on('connect', (client) => client.on('error', () => {}))
  pool.on('error', (error) => {
    logger?.debug('store: an idle connection ended', { reason: classifyConnectError(error).fault })
  })
  return pool
}

const endMsMax = 2_000

/** A server that is away must not hold up a stop: what it does not answer by then is left. */
export const waitAtMost = async (ending: Promise<void>): Promise<void> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, endMsMax)
  })
  await Promise.race([ending, late])
  clearTimeout(timer)
}

/** When all of its connections are back. */
export const endPool = (pool: Pool): Promise<void> => (pool.ending ? Promise.resolve() : pool.end())

/** Host and database, for people: no user and no password. */
export const displayUrl = (url: string): string => {
  try {
    const { host, pathname } = new URL(url)
    return `postgres://${host}${pathname}`
  } catch {
    return 'postgres://?'
  }
}

/** One line that names the store and holds no secret. */
export const describeConnectError = (url: string, error: unknown): string =>
  `store ${displayUrl(url)} ${classifyConnectError(error).fault}`

/** A connection for what is done once, before anything else: no limit but on waiting for locks. */
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
