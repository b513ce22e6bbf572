import { copyFileSync, existsSync, rmSync } from 'node:fs'
import type { Store } from '../../../src/ports/store.ts'
import { createPostgresStore } from '../../../src/store/postgres/postgres-store.ts'
import { createSqliteStore } from '../../../src/store/sqlite/sqlite-store.ts'
import type { SimChain } from '../sim-chain.ts'
import { faultsOf, integrityOf } from './soundness.ts'

export const openFile = (path: string): Store => {
  const opened = createSqliteStore({ path })
  if (!opened.ok) throw new Error(opened.fault)
  return opened.value
}

/** Opens a file as the next start does, for one read. */
export const withStore = async <T>(
  path: string,
  look: (store: Store) => Promise<T>,
): Promise<T> => {
  const store = openFile(path)
  try {
    return await look(store)
  } finally {
    await store.close()
  }
}

/** A file with its log; without the shared memory, which SQLite ignores after a crash. */
const copyFile = (path: string, to: string): void => {
  for (const end of ['', '-wal', '-shm']) rmSync(`${to}${end}`, { force: true })
  for (const end of ['', '-wal']) {
    if (existsSync(`${path}${end}`)) copyFileSync(`${path}${end}`, `${to}${end}`)
  }
}

/** Checks a copy of the file, so that the next process opens it as the last one left it. */
export const faultsOfFile = async (path: string, chain: SimChain): Promise<readonly string[]> => {
  if (!existsSync(path)) return []
  const copy = `${path}.copy`
  copyFile(path, copy)
  const faults = await withStore(copy, (store) => faultsOf(store, chain))
  const integrity = integrityOf(copy)
  return integrity === 'ok' ? faults : [...faults, `integrity: ${String(integrity)}`]
}

/** Checks a database as the next start opens it. */
export const faultsOfDatabase = async (
  url: string,
  chain: SimChain,
): Promise<readonly string[]> => {
  const opened = await createPostgresStore({ url, leaseGeneration: null })
  if (!opened.ok) return [opened.fault]
  try {
    return await faultsOf(opened.value, chain)
  } finally {
    await opened.value.close()
  }
}
