import { Client } from 'pg'

export type DirectRow = Readonly<Record<string, unknown>>

/** One connection of its own, made when it is needed and given up at the first failure. */
export type DirectConnection = {
  /** Rejects within some seconds, whatever the network does. */
  readonly query: (sql: string, values?: readonly unknown[]) => Promise<readonly DirectRow[]>
  readonly close: () => void
}

const connectMsMax = 2_000
const answerMsMax = 2_000
/** On the server: it ends its side first, so that no statement runs on unheard. */
const statementMsMax = 1_500
/** A peer that is gone without a word is noticed by the server after about half a minute. */
const serverKeepaliveSeconds = 20

/** `set_config` and not SET or start-up options: poolers and PostgreSQL's kin take it, too. */
const sessionSql = `SELECT set_config('statement_timeout', '${statementMsMax}', false),
  set_config('lock_timeout', '${statementMsMax}', false),
  set_config('idle_in_transaction_session_timeout', '${statementMsMax}', false)`
const keepaliveSql = `SELECT set_config('tcp_keepalives_idle', '${serverKeepaliveSeconds}', false)`

/** Leaves without a word: a peer that does not answer must not be waited for. */
const drop = (client: Client): void => {
  client.connection.stream.destroy()
}

const open = async (url: string, name: string): Promise<Client> => {
  const client = new Client({
    connectionString: url,
    application_name: name,
    connectionTimeoutMillis: connectMsMax,
    query_timeout: answerMsMax,
    keepAlive: true,
    keepAliveInitialDelayMillis: 1_000,
  })
  // What breaks an idle connection is told by the next question.
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query(sessionSql)
    // Not every kin of PostgreSQL knows it, and it is no condition.
    await client.query(keepaliveSql).catch(() => undefined)
    return client
  } catch (error) {
    drop(client)
    throw error
  }
}

/** `name` is seen in `pg_stat_activity`. Questions follow each other; the caller waits for each. */
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
        const { rows } = await client.query<DirectRow>(sql, [...values])
        return rows
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
