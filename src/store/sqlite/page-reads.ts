import type { StoreWriter } from '../../ports/store.ts'
import { type Mutex, serialized } from '../../util/mutex.ts'
import { pagesOf, rowsOf } from '../shared/pages.ts'
import type { Connection } from './connection.ts'
import { createPages, pageRows } from './reads.ts'

export type PageReads = Pick<StoreWriter, 'readTokens' | 'readPools' | 'readTicks'>

/** What is read whole, once: not by the writer, whose cache would go on holding all of it. */
export const createPageReads = (connection: Connection, mutex: Mutex): PageReads => {
  const { pools, tokens, ticks } = createPages(connection)
  return {
    readTokens: () => rowsOf(pagesOf(pageRows, serialized(mutex, tokens))),
    readPools: () => rowsOf(pagesOf(pageRows, serialized(mutex, pools))),
    readTicks: () => rowsOf(pagesOf(pageRows, serialized(mutex, ticks))),
  }
}
