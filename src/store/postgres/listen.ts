import { Client } from 'pg'

/** Delay before reconnecting, doubled after each failure. */
const waitMsMin = 250
const waitMsMax = 30_000
const connectMsMax = 5_000
const keepAliveAfterMs = 5_000

export const channel = 'stockpools'

export type ChangeListener = { readonly close: () => Promise<void> }

/** Ends without waiting for pending notifications. */
const endClient = (client: Client): void => {
  client.removeAllListeners('notification')
  void client.end().catch(() => undefined)
}

/**
 * Calls `onChange` on each notification of the writer, and after each reconnect, which may have
 * missed some. Some servers (a replica, some PostgreSQL-compatible ones) send no notifications, so
 * the caller polls as well.
 */
export const listenForChanges = ({
  url,
  onChange,
}: {
  readonly url: string
  readonly onChange: () => void
}): ChangeListener => {
  let isClosed = false
  let client: Client | null = null
  let timer: NodeJS.Timeout | undefined
  let waitMs = waitMsMin

  const reconnect = (broken: Client): void => {
    if (isClosed || broken !== client) return
    endClient(broken)
    client = null
    timer = setTimeout(() => void open(), waitMs)
    waitMs = Math.min(waitMs * 2, waitMsMax)
  }

  const open = async (): Promise<void> => {
    const opened = new Client({
      connectionString: url,
      application_name: 'stockpools listen',
      connectionTimeoutMillis: connectMsMax,
      keepAlive: true,
      keepAliveInitialDelayMillis: keepAliveAfterMs,
    })
    client = opened
    opened.on('error', () => reconnect(opened))
    opened.on('end', () => reconnect(opened))
    opened.on('notification', onChange)
    try {
      await opened.connect()
      await opened.query(`LISTEN ${channel}`)
      waitMs = waitMsMin
      if (!isClosed) onChange()
    } catch {
      reconnect(opened)
    }
  }

  void open()
  return {
    close: async () => {
      isClosed = true
      clearTimeout(timer)
      if (client !== null) endClient(client)
    },
  }
}
