import { statSync } from 'node:fs'
import type { StoreTarget } from '../../config/options.ts'
import type { Outcome } from '../../domain/outcome.ts'
import type { Logger } from '../../ports/runtime.ts'
import type { Store, StoreReader } from '../../ports/store.ts'
import { createSqliteReader, createSqliteStore } from '../../store/sqlite/sqlite-store.ts'

const memory = ':memory:'

/** Loaded when it is wanted: who keeps a file needs no driver. */
const loadPostgres = () => import('../../store/postgres/postgres-store.ts')

/** A store for whoever writes it: with the generation of its lease, where it has one. */
export type WriterOptions = { readonly leaseGeneration: number | null; readonly logger: Logger }

/** The store that the configuration names, for the one process that writes it. */
export const openStore = async (
  target: StoreTarget,
  options: WriterOptions,
): Promise<Outcome<Store, string>> => {
  if (target.kind === 'memory') return createSqliteStore({ path: memory })
  if (target.kind === 'sqlite') return createSqliteStore({ path: target.path })
  return (await loadPostgres()).createPostgresStore({ url: target.url.reveal(), ...options })
}

export type OpenReader = StoreReader & Pick<Store, 'close'>

/** The same store for a process that only reads. */
export const openStoreReader = async (
  target: StoreTarget,
  logger: Logger,
): Promise<Outcome<OpenReader, string>> =>
  target.kind === 'postgres'
    ? (await loadPostgres()).createPostgresReader({ url: target.url.reveal(), logger })
    : createSqliteReader({ path: target.kind === 'memory' ? memory : target.path })

/** The main file and what is not yet merged into it. */
const parts = ['', '-wal']

const fileBytes = (path: string): number => {
  try {
    return statSync(path).size
  } catch {
    return 0
  }
}

/** Bytes on disk of a store that is a file. */
export const storeFileBytes = (path: string): number =>
  parts.reduce((sum, suffix) => sum + fileBytes(`${path}${suffix}`), 0)
