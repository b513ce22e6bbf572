import { failure, type Outcome, success } from '../../domain/outcome.ts'
import type { Store, StoreReader } from '../../ports/store.ts'
import type { Mutex } from '../../util/mutex.ts'
import { createConnectionMutex } from '../shared/session.ts'
import type { Connection } from './connection.ts'
import { memoryPath, openReader, openWriter } from './open.ts'
import { createReader, createStartupReads } from './reader.ts'
import { createWriter } from './writer.ts'

type Line = { readonly connection: Connection; readonly mutex: Mutex }

const readingLine = (path: string): Outcome<Line, string> => {
  const opened = openReader(path)
  return opened.ok ? success({ connection: opened.value, mutex: createConnectionMutex() }) : opened
}

/** After whatever was asked for before. */
const hangUp = ({ connection, mutex }: Line): Promise<void> => mutex(connection.close)

/**
 * The default store: one file (`path`, created with its folder) or, with `:memory:`, nothing that
 * outlives the process. One writer; any number of readers beside it, in other threads and
 * processes too. In memory a snapshot and a write wait for each other, so that a write awaited
 * inside a snapshot would wait for ever. The fault is one line that names the path.
 */
export const createSqliteStore = ({ path }: { readonly path: string }): Outcome<Store, string> => {
  const opened = openWriter(path)
  if (!opened.ok) return opened
  const writing: Line = { connection: opened.value, mutex: createConnectionMutex() }
  const reading = path === memoryPath ? success(writing) : readingLine(path)
  if (!reading.ok) {
    writing.connection.close()
    return failure(reading.fault)
  }
  return success({
    ...createWriter(writing.connection, writing.mutex),
    ...createStartupReads(reading.value.connection, reading.value.mutex),
    ...createReader(reading.value.connection, reading.value.mutex),
    close: async () => {
      await hangUp(reading.value)
      // Last, because the last connection to close folds the log into the file.
      if (reading.value !== writing) await hangUp(writing)
    },
  })
}

export type SqliteReader = StoreReader & Pick<Store, 'close'>

/** For a process that only reads what another one writes. */
export const createSqliteReader = ({
  path,
}: {
  readonly path: string
}): Outcome<SqliteReader, string> => {
  const reading = readingLine(path)
  if (!reading.ok) return reading
  const { connection, mutex } = reading.value
  return success({
    ...createReader(connection, mutex),
    close: () => hangUp(reading.value),
  })
}
