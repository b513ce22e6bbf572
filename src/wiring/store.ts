import { statSync } from 'node:fs'
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

/** The main file and what is not yet merged into it. */
const parts = ['', '-wal']

const fileBytes = (path: string): number => {
  try {
    return statSync(path).size
  } catch {
    return 0
  }
}

/** Bytes on disk; null where the store is no file. */
export const storeBytesOf = (target: StoreTarget): number | null =>
  target.kind === 'memory'
    ? null
    : parts.reduce((sum, suffix) => sum + fileBytes(`${target.path}${suffix}`), 0)
