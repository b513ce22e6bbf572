import { Client } from 'pg'

/** After a connection that broke or could not be made, doubled each time up to the last. */
const waitMsMin = 250
const waitMsMax = 30_000
const connectMsMax = 5_000
const keepAliveAfterMs = 5_000

export const channel = 'stockpools'

export type ChangeListener = { readonly close: () => Promise<void> }

/** Ends at once: nothing that was said is waited for. */
const hangUp = (client: Client): void => {
  client.removeAllListeners('notification')
  void client.end().catch(() => undefined)
}

/**
 * Calls `onChange` when the writer says that it changed something, and whenever that may have been
 * missed. Over a connection of its own, made anew when it breaks. Where a server can not tell (a
 * standby, some of PostgreSQL's kin) it stays silent: whoever follows looks now and then anyway.
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

  const again = (broken: Client): void => {
    if (isClosed || broken !== client) return
    hangUp(broken)
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
    opened.on('error', () => again(opened))
    opened.on('end', () => again(opened))
    opened.on('notification', onChange)
    try {
      await opened.connect()
      await opened.query(`LISTEN ${channel}`)
      waitMs = waitMsMin
      if (!isClosed) onChange()
    } catch {
      again(opened)
    }
  }

  void open()
  return {
    close: async () => {
      isClosed = true
      clearTimeout(timer)
      if (client !== null) hangUp(client)
    },
  }
}
