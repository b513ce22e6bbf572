import type { StoredTick } from '../../domain/pool/stored-events.ts'
import type { StoreWriter } from '../../ports/store.ts'
import type { StoredPool, StoredToken } from '../../ports/store-rows.ts'
import { hex } from '../shared/codec.ts'
import { byPages } from '../shared/pages.ts'
import { poolFromRow } from '../shared/pool-table.ts'
import { ticks } from '../shared/tables.ts'
import { tokens } from '../shared/token-table.ts'
import type { Turns } from '../shared/turns.ts'
import type { Connection } from './connection.ts'
import { textQueries as queries } from './text-queries.ts'

/** So few that nothing of a page grows old, which is only collected much later. */
const pageRows = 200

export type PageReads = Pick<StoreWriter, 'readTokens' | 'readPools' | 'readTicks'>

/** What is read whole, once: not by the writer, whose cache would go on holding all of it. */
export const createPageReads = (connection: Connection, turns: Turns): PageReads => {
  const tokenPage = connection.prepare(queries.tokenPage)
  const poolPage = connection.prepare(queries.poolPage)
  const tickPage = connection.prepare(queries.tickPage)
  return {
    readTokens: () =>
      byPages<StoredToken>(pageRows, (last, rowsMax) => {
        const from = [hex.toColumn(last?.address ?? '0x'), rowsMax]
        return turns(() => tokenPage.all(from).map(tokens.fromRow))
      }),
    readPools: () =>
      byPages<StoredPool>(pageRows, (last, rowsMax) => {
        const from = [last?.number ?? -1, rowsMax]
        return turns(() => poolPage.all(from).map(poolFromRow))
      }),
    readTicks: () =>
      byPages<StoredTick>(pageRows, (last, rowsMax) => {
        const from = [last?.pool ?? -1, last?.tick ?? 0, rowsMax]
        return turns(() => tickPage.all(from).map(ticks.fromRow))
      }),
  }
}
