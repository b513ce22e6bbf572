import { setImmediate } from 'node:timers/promises'
import type { StoreWriter } from '../../ports/store.ts'
import type { Mutex } from '../../util/mutex.ts'
import { headerQuery, headers } from '../shared/header-table.ts'
import { createPrune } from '../shared/prune.ts'
import { swapTransactionsQuery } from '../shared/queries.ts'
import { createWriterReads } from '../shared/reads.ts'
import { createRecordWrites, createRevise } from '../shared/records.ts'
import { columnList } from '../shared/table.ts'
import type { Transaction, WriteConnection } from '../shared/transaction.ts'
import { createBatchWrites } from '../shared/writer.ts'
import type { Connection } from './connection.ts'
import { hexQueries } from './hex-queries.ts'
import { createRowWriters } from './row-writers.ts'
import { sqlitePruneQueries } from './swap-queries.ts'

const saveQuery = `INSERT INTO header (id, ${columnList(headers)})
  VALUES (1, ${headers.columns.map(() => '?').join(', ')})
  ON CONFLICT (id) DO UPDATE SET
  ${headers.columns.map((column) => `${column} = excluded.${column}`).join(', ')}`

const createTransaction = (connection: Connection): Transaction => {
  const save = connection.prepare(saveQuery)
  return {
    ...connection,
    rows: createRowWriters(connection),
    header: () => connection.first(headers, headerQuery),
    saveHeader: (header) => save.run(headers.toRow(header)),
  }
}

/** A transaction of a few milliseconds: the thread may serve requests as well. */
const prunedRows = 500

/** The writer without the reads of complete tables. */
export const createWriter = (
  connection: Connection,
  mutex: Mutex,
): Omit<StoreWriter, 'readTokens' | 'readPools' | 'readTicks'> => {
  const tx = createTransaction(connection)
  const writing: WriteConnection = {
    write: (work) => mutex(() => connection.write(() => work(tx))),
    read: (work) => mutex(() => work(connection)),
  }
  return {
    ...createRecordWrites(writing),
    ...createBatchWrites(writing),
    ...createWriterReads(writing, swapTransactionsQuery('block DESC, log_index DESC')),
    // Yields to the thread's other work and to other writes.
    prune: createPrune({
      revise: createRevise(writing),
      queries: sqlitePruneQueries,
      oldestSwapQuery: hexQueries.oldestSwap,
      chunkRows: prunedRows,
      pause: () => setImmediate(),
    }),
  }
}
