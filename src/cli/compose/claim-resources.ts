import { once } from 'node:events'
import { createServer } from 'node:net'
import { formatHostPort, toListenFault } from '../../api/http/listener.ts'
import type { StoreTarget } from '../../config/options.ts'

/**
 * Makes this process the only writer of the store until its end. Returns in one line why it cannot
 * be, or null. In PostgreSQL the lease does this.
 */
export const claimStore = async (store: StoreTarget): Promise<string | null> => {
  if (store.kind !== 'sqlite') return null
  const { lockWriter } = await import('../../store/sqlite/writer-lock.ts')
  return lockWriter(store.path)
}

/** Returns in one line why the API could not listen there, or null. */
export const findPortFault = async (at: {
  readonly host: string
  readonly port: number
}): Promise<string | null> => {
  const server = createServer().listen(at)
  try {
    await once(server, 'listening')
    return null
  } catch (error) {
    return toListenFault(error, formatHostPort(at.host, at.port)).detail
  } finally {
    server.close()
  }
}
