import { Client } from 'pg'
import type { Outcome } from '../../../src/domain/outcome.ts'
import type { Store } from '../../../src/ports/store.ts'
import {
  createPostgresReader,
  createPostgresStore,
} from '../../../src/store/postgres/postgres-store.ts'
import type { TableLayout } from '../../../src/store/postgres/schema.ts'
import type { PostgresServer } from '../../setup/postgres.ts'
import type { StoreBench } from '../../store-contract/bench.ts'
import { unlimited } from './patience.ts'

export const opened = <T>(outcome: Outcome<T, string>): T => {
  if (!outcome.ok) throw new Error(outcome.fault)
  return outcome.value
}

const emptyText =
  `header, blocks, replacements, pools, ticks, swaps, liquidity_changes, candles, quotes, reserves,
  reference_points, tokens, stocks, searched, sources, first_reading, first_maps`
    .split(',')
    .map((name) => `DELETE FROM ${name};`)
    .join(' ')

/** A database with an open store, which a bench uses and hands on, emptied. */
type Place = { readonly url: string; readonly cleaner: Client; store: Store }

/**
 * Benches on databases of one server. To make a database takes ten times as long as to empty one,
 * and the contract wants hundreds.
 */
export const createBenches = (server: PostgresServer, layout: TableLayout) => {
  const free: Place[] = []
  const all: Place[] = []

  const openAt = async (url: string): Promise<Store> =>
    opened(await createPostgresStore({ url, leaseGeneration: null, layout, limits: unlimited }))

  const make = async (): Promise<Place> => {
    const url = await server.createDatabase()
    const cleaner = new Client({ connectionString: url })
    await cleaner.connect()
    const place = { url, cleaner, store: await openAt(url) }
    all.push(place)
    return place
  }

  return {
    open: async (): Promise<StoreBench> => {
      const place = free.pop() ?? (await make())
      let isUsed = true
      return {
        store: place.store,
        reopen: async () => {
          await place.store.close()
          place.store = await openAt(place.url)
          return place.store
        },
        connect: async () =>
          opened(await createPostgresReader({ url: place.url, limits: unlimited })),
        dispose: async () => {
          if (!isUsed) return
          isUsed = false
          await place.cleaner.query(emptyText)
          free.push(place)
        },
      }
    },
    close: async () => {
      for (const { store, cleaner } of all) {
        await store.close()
        await cleaner.end()
      }
    },
  }
}
