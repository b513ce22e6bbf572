import type { StoreTarget } from '../config/options.ts'
import type { Outcome } from '../domain/outcome.ts'
import type { Store, StoreReader } from '../ports/store.ts'
import { createSqliteReader, createSqliteStore } from '../store/sqlite/sqlite-store.ts'

const memory = ':memory:'

/** The store that the configuration names, for the one process that writes it. */
export const openStore = (target: StoreTarget): Outcome<Store, string> =>
  createSqliteStore({ path: target.kind === 'memory' ? memory : target.path })

/** The same store for a process that only reads. */
export const openStoreReader = (
  target: StoreTarget,
): Outcome<StoreReader & Pick<Store, 'close'>, string> =>
  createSqliteReader({ path: target.kind === 'memory' ? memory : target.path })
