import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { failure, type Outcome, success } from '../../domain/outcome.ts'
import type { Row } from '../shared/table.ts'
import { type AssertFileInPlace, type Connection, createConnection } from './connection.ts'
import {
  findPendingMigrations,
  isHalfRestored,
  migrateSchema,
  readSqliteMigrations,
} from './schema.ts'

/** The path of a store that exists only in the process. */
export const memoryPath = ':memory:'

/** Timeout for another process's lock; longer than any commit. */
const lockWaitMsMax = 5_000

/** Far above every value, also of 10,000 swaps in one: a damaged file must not fill the memory. */
const valueBytesMax = 4_000_000

/**
 * WAL: readers and the writer never wait for each other. NORMAL: killing the process loses no
 * commit; a power cut may lose the last commits completely, and the indexer reads the blocks again.
 */
const writerPragmas = `
  PRAGMA synchronous = NORMAL;
  PRAGMA cache_size = -32768;
  PRAGMA temp_store = MEMORY;
  PRAGMA wal_autocheckpoint = 8000;
  PRAGMA journal_size_limit = 67108864;
`

/** The system caches the file as well: four times this size was not faster. */
const readerPragmas = `
  PRAGMA cache_size = -4096;
  PRAGMA temp_store = MEMORY;
`

/** By SQLite's primary result code (sqlite.org/rescode.html). */
const faultTexts: Readonly<Record<number, string>> = {
  5: 'is locked by another program',
  8: 'cannot be written',
  10: 'cannot be read from its disk',
  11: 'is damaged',
  13: 'has no room left on its disk',
  14: 'cannot be opened (does it exist, and may this user read and write it?)',
  19: 'cannot hold rows that contradict each other',
  26: 'is not a SQLite database',
}

/** One line for an error of the file; rethrows everything else, which is a bug. */
export const describeFileError = (error: unknown): string => {
  if (!(error instanceof Error && 'code' in error)) throw error
  if ('errcode' in error && typeof error.errcode === 'number') {
    return faultTexts[error.errcode & 0xff] ?? error.message
  }
  if ('syscall' in error) return `cannot be created (${String(error.code)})`
  throw error
}

/**
 * SQLite keeps writing to a moved or deleted file, where the writes are lost. The path is checked
 * before each write (sqlite.org/howtocorrupt.html, "Unlinking or renaming").
 */
const createFileCheck = (path: string): AssertFileInPlace => {
  if (path === memoryPath) return () => {}
  const opened = statSync(path)
  return () => {
    const now = statSync(path, { throwIfNoEntry: false })
    if (now?.ino === opened.ino && now.dev === opened.dev) return
    throw new Error(`store ${path} was moved or deleted while in use`)
  }
}

type OpenMode = { readonly path: string; readonly readOnly: boolean; readonly lockWaitMs: number }

const openWith = (
  { path, readOnly, lockWaitMs }: OpenMode,
  prepare: (db: DatabaseSync) => Outcome<void, string>,
): Outcome<Connection, string> => {
  let db: DatabaseSync | null = null
  try {
    const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
    if (isFolder) return failure(`store ${path} is a folder, not a file`)
    if (!readOnly && path !== memoryPath) mkdirSync(dirname(path), { recursive: true })
    db = new DatabaseSync(path, {
      readOnly,
      timeout: lockWaitMs,
      returnArrays: true,
      limits: { length: valueBytesMax },
    })
    const prepared = prepare(db)
    if (prepared.ok) return success(createConnection(db, createFileCheck(path)))
    db.close()
    return failure(`store ${path} ${prepared.fault}`)
  } catch (error) {
    db?.close()
    return failure(`store ${path} ${describeFileError(error)}`)
  }
}

/** Rejects an incomplete restore. */
const checkComplete = (db: DatabaseSync): Outcome<void, string> =>
  isHalfRestored(db)
    ? failure('contains an incomplete restore: run "stockpools restore" again')
    : success(undefined)

/** Copied by every store in memory after the first: the migrations take longer than most uses. */
let emptyStore: Uint8Array | null = null

/** Opens a store in memory, each of which is empty. */
const openInMemory = (): Outcome<Connection, string> =>
  openWith({ path: memoryPath, readOnly: false, lockWaitMs: 0 }, (db) => {
    db.exec(writerPragmas)
    if (emptyStore !== null) {
      db.deserialize(emptyStore)
      return success(undefined)
    }
    const migrated = migrateSchema(db, readSqliteMigrations())
    if (migrated.ok) emptyStore = db.serialize()
    return migrated
  })

type CheckStore = (db: DatabaseSync) => Outcome<void, string>

const openToWrite = (path: string, lockWaitMs: number, check: CheckStore) => {
  if (path === memoryPath) return openInMemory()
  const steps = readSqliteMigrations()
  return openWith({ path, readOnly: false, lockWaitMs }, (db) => {
    // Checked before the first write: a file of another program stays unchanged.
    const missing = findPendingMigrations(db, steps)
    if (!missing.ok) return missing
    const mode = db.prepare('PRAGMA journal_mode = WAL').get() as unknown as Row
    if (mode[0] !== 'wal') {
      return failure('cannot be shared by several connections (a network disk?)')
    }
    db.exec(writerPragmas)
    const upgraded = migrateSchema(db, steps)
    return upgraded.ok ? check(db) : upgraded
  })
}

/** Opens or creates a store to write to, and migrates its schema. */
export const openWriter = (path: string, lockWaitMs = lockWaitMsMax): Outcome<Connection, string> =>
  openToWrite(path, lockWaitMs, checkComplete)

/** The same for a restore, which accepts the rows of an incomplete restore. */
export const openRestore = (path: string): Outcome<Connection, string> =>
  openToWrite(path, lockWaitMsMax, () => success(undefined))

/** Opens a store that another connection or process writes. */
export const openReader = (path: string): Outcome<Connection, string> => {
  const steps = readSqliteMigrations()
  return openWith({ path, readOnly: true, lockWaitMs: lockWaitMsMax }, (db) => {
    const missing = findPendingMigrations(db, steps)
    if (!missing.ok) return missing
    if (missing.value.length > 0) return failure('is not ready: start its indexer first')
    db.exec(readerPragmas)
    return checkComplete(db)
  })
}
