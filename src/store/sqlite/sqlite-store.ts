import { failure, type Outcome, success } from '../../domain/outcome.ts'
import type { Store, StoreReader } from '../../ports/store.ts'
import type { Mutex } from '../../util/mutex.ts'
import { createConnectionMutex } from '../shared/session.ts'
import type { Connection } from './connection.ts'
import { memoryPath, openReader, openWriter } from './open.ts'
import { createReader, createStartupReads } from './reader.ts'
import { createWriter } from './writer.ts'

type GuardedConnection = { readonly connection: Connection; readonly mutex: Mutex }

const openReading = (path: string): Outcome<GuardedConnection, string> => {
  const opened = openReader(path)
  return opened.ok ? success({ connection: opened.value, mutex: createConnectionMutex() }) : opened
}

/** Closes after all pending calls. */
const closeAfterCalls = ({ connection, mutex }: GuardedConnection): Promise<void> =>
  mutex(connection.close)

/**
 * The default store: one file (`path`, created with its folder) or `:memory:`. One writer and any
 * number of readers, also in other threads and processes. In memory, snapshots and writes share a
 * mutex: a write awaited inside a snapshot never resolves. The fault is one line with the path.
 */
export const createSqliteStore = ({ path }: { readonly path: string }): Outcome<Store, string> => {
  const opened = openWriter(path)
  if (!opened.ok) return opened
  const writing: GuardedConnection = { connection: opened.value, mutex: createConnectionMutex() }
  const reading = path === memoryPath ? success(writing) : openReading(path)
  if (!reading.ok) {
    writing.connection.close()
    return failure(reading.fault)
  }
  return success({
    ...createWriter(writing.connection, writing.mutex),
    ...createStartupReads(reading.value.connection, reading.value.mutex),
    ...createReader(reading.value.connection, reading.value.mutex),
    close: async () => {
      await closeAfterCalls(reading.value)
      // The last connection to close checkpoints the WAL.
      if (reading.value !== writing) await closeAfterCalls(writing)
    },
  })
}

export type SqliteReader = StoreReader & Pick<Store, 'close'>

/** For a process that only reads. */
export const createSqliteReader = ({
  path,
}: {
  readonly path: string
}): Outcome<SqliteReader, string> => {
  const reading = openReading(path)
  if (!reading.ok) return reading
  const { connection, mutex } = reading.value
  return success({
    ...createReader(connection, mutex),
    close: () => closeAfterCalls(reading.value),
  })
}
