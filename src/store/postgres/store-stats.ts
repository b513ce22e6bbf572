import { connectDirect } from './direct-connection.ts'
import { type LeaseView, readLease } from './lease.ts'

/** What is known of a store beside its contents. */
export type StoreStats = {
  /** On disk, indexes included. */
  readonly bytes: number
  /** Null while no indexer has ever been active. */
  readonly lease: LeaseView | null
}

export type StatsReader = {
  /** Rejects if the store can not be asked. */
  readonly read: () => Promise<StoreStats>
  readonly close: () => void
}

/** Over a connection of its own, so that it is answered when every reader is busy. */
export const createStatsReader = (url: string): StatsReader => {
  const line = connectDirect({ url, name: 'stockpools facts' })
  return {
    read: async () => {
      const lease = await readLease(line)
      const [row] = await line.query('SELECT pg_database_size(current_database())::float8 AS bytes')
      return { bytes: Number(row?.bytes), lease }
    },
    close: line.close,
  }
}
