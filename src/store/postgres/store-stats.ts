import { connectDirect } from './direct-connection.ts'
import { type LeaseView, readLease } from './lease.ts'

/** Size and lease of a store. */
export type StoreStats = {
  /** On disk, indexes included. */
  readonly bytes: number
  /** Null before the first indexer acquired the lease. */
  readonly lease: LeaseView | null
}

export type StatsReader = {
  /** Rejects if the store is unavailable. */
  readonly read: () => Promise<StoreStats>
  readonly close: () => void
}

/** Uses its own connection, so that it works while all readers are busy. */
export const createStatsReader = (url: string): StatsReader => {
  const connection = connectDirect({ url, name: 'stockpools facts' })
  return {
    read: async () => {
      const lease = await readLease(connection)
      const [row] = await connection.query(
        'SELECT pg_database_size(current_database())::float8 AS bytes',
      )
      return { bytes: Number(row?.bytes), lease }
    },
    close: connection.close,
  }
}
