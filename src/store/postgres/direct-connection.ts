import { Client } from 'pg'
import { limitWait } from '../../util/limit-wait.ts'

export type DirectRow = Readonly<Record<string, unknown>>

/** One connection outside of the pools, opened on demand and dropped at the first error. */
export type DirectConnection = {
  /** Rejects within some seconds if the server does not respond. */
  readonly query: (sql: string, values?: readonly unknown[]) => Promise<readonly DirectRow[]>
  readonly close: () => void
}

const connectMsMax = 4_000
const answerMsMax = 2_000
/** The server's timeout is shorter, so that no abandoned statement keeps running. */
const statementMsMax = 1_500
/** The server detects a vanished client after about half a minute. */
const serverKeepaliveSeconds = 20

/** Not as startup options, which poolers and PostgreSQL-compatible servers may reject. */
const sessionSql = `SELECT set_config('statement_timeout', '${statementMsMax}', false),
  set_config('lock_timeout', '${statementMsMax}', false),
  set_config('idle_in_transaction_session_timeout', '${statementMsMax}', false)`
const keepaliveSql = `SELECT set_config('tcp_keepalives_idle', '${serverKeepaliveSeconds}', false)`

/** Destroys the socket: a server that does not respond must not delay the caller. */
const drop = (client: Client): void => {
  client.connection.stream.destroy()
}

const open = async (url: string, name: string): Promise<Client> => {
  const client = new Client({
    connectionString: url,
    application_name: name,
    keepAlive: true,
    keepAliveInitialDelayMillis: 1_000,
  })
  // The next query rejects after an idle connection breaks.
  client.on('error', () => {})
  const prepare = async (): Promise<void> => {
    await client.connect()
    await client.query(sessionSql)
    // Optional: not every PostgreSQL-compatible server knows the setting.
    await client.query(keepaliveSql).catch(() => undefined)
  }
  try {
    await limitWait(prepare(), connectMsMax)
    return client
  } catch (error) {
    drop(client)
    throw error
  }
}

/** `name` is shown in `pg_stat_activity`. The caller awaits each query before the next. */
export const connectDirect = ({
  url,
  name,
}: {
  readonly url: string
  readonly name: string
}): DirectConnection => {
  let client: Client | null = null
  return {
    query: async (sql, values = []) => {
      try {
        client ??= await open(url, name)
        const answer = client.query<DirectRow>(sql, [...values])
        return (await limitWait(answer, answerMsMax)).rows
      } catch (error) {
        if (client !== null) drop(client)
        client = null
        throw error
      }
    },
    close: () => {
      if (client !== null) drop(client)
      client = null
    },
  }
}
