import type { StoreWriter } from '../../ports/store.ts'
import { pagesOf, rowsOf } from '../shared/pages.ts'
import { inTurn, type Turns } from '../shared/turns.ts'
import type { Connection } from './connection.ts'
import { createPages, pageRows } from './reads.ts'

export type PageReads = Pick<StoreWriter, 'readTokens' | 'readPools' | 'readTicks'>

/** What is read whole, once: not by the writer, whose cache would go on holding all of it. */
export const createPageReads = (connection: Connection, turns: Turns): PageReads => {
  const { pools, tokens, ticks } = createPages(connection)
  return {
    readTokens: () => rowsOf(pagesOf(pageRows, inTurn(turns, tokens))),
    readPools: () => rowsOf(pagesOf(pageRows, inTurn(turns, pools))),
    readTicks: () => rowsOf(pagesOf(pageRows, inTurn(turns, ticks))),
  }
}
