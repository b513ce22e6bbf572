import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname } from 'node:path'
import { formatHostPort, toListenFault } from '../../api/http/listener.ts'
import type { StoreTarget } from '../../config/options.ts'
import { lockFile } from './file-lock.ts'

/**
 * Makes this process the only writer of the store until its end, by a lock on the file
 * `<path>.lock`. Returns in one line why it cannot be, or null. PostgreSQL has its lease. To be
 * called once.
 */
export const claimStore = async (store: StoreTarget): Promise<string | null> => {
  if (store.kind !== 'sqlite') return null
  const { describeFileError } = await import('../../store/sqlite/open.ts')
  const { path } = store
  try {
    mkdirSync(dirname(path), { recursive: true })
    const lock = lockFile(`${path}.lock`)
    if (!lock.ok) return `store ${path} is in use by ${lock.fault}: stop that one first`
    // What nothing refers to would be collected, and the lock with it.
    process.once('exit', lock.value)
    return null
  } catch (error) {
    return `store ${path} ${describeFileError(error)}`
  }
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
