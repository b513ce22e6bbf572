import { createLine } from './direct-connection.ts'
import { type LeaseSight, readLease } from './lease.ts'

/** What is known of a store beside its contents. */
export type StoreFacts = {
  /** On disk, indexes included. */
  readonly bytes: number
  /** Null while no indexer has ever been active. */
  readonly lease: LeaseSight | null
}

export type FactsReader = {
  /** Rejects if the store can not be asked. */
  readonly read: () => Promise<StoreFacts>
  readonly close: () => void
}

/** Over a connection of its own, so that it is answered when every reader is busy. */
export const createFactsReader = (url: string): FactsReader => {
  const line = createLine({ url, name: 'stockpools facts' })
  return {
    read: async () => {
      const lease = await readLease(line)
      const [row] = await line.ask('SELECT pg_database_size(current_database())::float8 AS bytes')
      return { bytes: Number(row?.bytes), lease }
    },
    close: line.close,
  }
}
