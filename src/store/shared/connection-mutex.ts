import { createMutex, type Mutex } from '../../util/mutex.ts'

/** More callers than this at once mean that the connection is stuck. */
const waitingMax = 10_000

/** One task at a time: a connection has one transaction, not many. */
export const createConnectionMutex = (): Mutex => createMutex({ waitingMax })
