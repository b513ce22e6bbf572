import { statSync } from 'node:fs'
import type { StoreTarget } from '../../config/options.ts'
import type { Outcome } from '../../domain/outcome.ts'
import type { Logger } from '../../ports/runtime.ts'
import type { Store, StoreReader } from '../../ports/store.ts'
import { createSqliteReader, createSqliteStore } from '../../store/sqlite/sqlite-store.ts'

const memory = ':memory:'

/** Imported on demand: SQLite stores need no PostgreSQL driver. */
const loadPostgres = () => import('../../store/postgres/postgres-store.ts')

/** `fence` is the generation of the lease; null if the store has no lease. */
export type WriterOptions = { readonly leaseGeneration: number | null; readonly logger: Logger }

/** Opens the configured store for the one process that writes it. */
export const openStore = async (
  target: StoreTarget,
  options: WriterOptions,
): Promise<Outcome<Store, string>> => {
  if (target.kind === 'memory') return createSqliteStore({ path: memory })
  if (target.kind === 'sqlite') return createSqliteStore({ path: target.path })
  return (await loadPostgres()).createPostgresStore({ url: target.url.reveal(), ...options })
}

export type OpenReader = StoreReader & Pick<Store, 'close'>

/** Opens the same store for reading only. */
export const openStoreReader = async (
  target: StoreTarget,
  logger: Logger,
): Promise<Outcome<OpenReader, string>> =>
  target.kind === 'postgres'
    ? (await loadPostgres()).createPostgresReader({ url: target.url.reveal(), logger })
    : createSqliteReader({ path: target.kind === 'memory' ? memory : target.path })

/** The main file and the write-ahead log. */
const fileSuffixes = ['', '-wal']

const fileBytes = (path: string): number => {
  try {
    return statSync(path).size
  } catch {
    return 0
  }
}

/** Size on disk of a SQLite store. */
export const storeFileBytes = (path: string): number =>
  fileSuffixes.reduce((sum, suffix) => sum + fileBytes(`${path}${suffix}`), 0)
