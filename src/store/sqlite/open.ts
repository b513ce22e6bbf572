import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { failure, type Outcome, success } from '../../domain/outcome.ts'
import type { Row } from '../shared/table.ts'
import { type AssertFileInPlace, type Connection, createConnection } from './connection.ts'
import {
  findPendingMigrations,
  isHalfImported,
  migrateSchema,
  readSqliteMigrations,
} from './schema.ts'

/** The path of a store that lives as long as its process. */
export const memoryPath = ':memory:'

/** How long a statement waits for another process's lock; more than any commit takes. */
const lockWaitMsMax = 5_000

/** No value that belongs here is near this; a file that says otherwise is not read into memory. */
const valueBytesMax = 1_000_000

/**
 * WAL: readers never wait for the writer, nor it for them. NORMAL: a commit is in the operating
 * system's hands when it returns, so killing the process loses nothing; a power cut may lose the
 * last commits, never a part of one, and the indexer reads those blocks again.
 */
const writerPragmas = `
  PRAGMA synchronous = NORMAL;
  PRAGMA cache_size = -32768;
  PRAGMA temp_store = MEMORY;
  PRAGMA wal_autocheckpoint = 8000;
  PRAGMA journal_size_limit = 67108864;
`

/** The system keeps the file's pages as well: with four times as much here nothing was faster. */
const readerPragmas = `
  PRAGMA cache_size = -4096;
  PRAGMA temp_store = MEMORY;
`

/** By SQLite's primary result code (sqlite.org/rescode.html). */
const faultTexts: Readonly<Record<number, string>> = {
  5: 'is locked by another program',
  8: 'can not be written',
  10: 'can not be read from its disk',
  11: 'is damaged',
  13: 'has no room left on its disk',
  14: 'can not be opened (is it there, and may this user read and write it?)',
  19: 'can not hold rows that contradict each other',
  26: 'is not a SQLite database',
}

/** What went wrong with the file, in one line; anything else is a bug and thrown on. */
export const describeFileError = (error: unknown): string => {
  if (!(error instanceof Error && 'code' in error)) throw error
  if ('errcode' in error && typeof error.errcode === 'number') {
    return faultTexts[error.errcode & 0xff] ?? error.message
  }
  if ('syscall' in error) return `can not be created (${String(error.code)})`
  throw error
}

/**
 * A file that was moved or deleted goes on taking writes that nobody will ever find, so its name
 * is looked up before each of them (sqlite.org/howtocorrupt.html, "Unlinking or renaming").
 */
const createPlaceCheck = (path: string): AssertFileInPlace => {
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
    if (!readOnly && path !== memoryPath) mkdirSync(dirname(path), { recursive: true })
    db = new DatabaseSync(path, {
      readOnly,
      timeout: lockWaitMs,
      returnArrays: true,
      limits: { length: valueBytesMax },
    })
    const prepared = prepare(db)
    if (prepared.ok) return success(createConnection(db, createPlaceCheck(path)))
    db.close()
    return failure(`store ${path} ${prepared.fault}`)
  } catch (error) {
    db?.close()
    return failure(`store ${path} ${describeFileError(error)}`)
  }
}

/** Whoever finds half a store must not take it for a whole one. */
const wholeOf = (db: DatabaseSync): Outcome<void, string> =>
  isHalfImported(db)
    ? failure('is half imported: run "stockpools import" again')
    : success(undefined)

type Judge = (db: DatabaseSync) => Outcome<void, string>

const openToWrite = (path: string, lockWaitMs: number, judge: Judge) => {
  const steps = readSqliteMigrations()
  return openWith({ path, readOnly: false, lockWaitMs }, (db) => {
    // Judged before anything is written: a file that is not ours stays as it is.
    const missing = findPendingMigrations(db, steps)
    if (!missing.ok) return missing
    const mode = db.prepare('PRAGMA journal_mode = WAL').get() as unknown as Row
    if (mode[0] !== 'wal' && path !== memoryPath) {
      return failure('can not be shared by several connections (a network disk?)')
    }
    db.exec(writerPragmas)
    const upgraded = migrateSchema(db, steps)
    return upgraded.ok ? judge(db) : upgraded
  })
}

/** Opens or creates a store to write to, its schema brought up to date. */
export const openWriter = (path: string, lockWaitMs = lockWaitMsMax): Outcome<Connection, string> =>
  openToWrite(path, lockWaitMs, wholeOf)

/** The same for an import, which may find what another one left. */
export const openImport = (path: string): Outcome<Connection, string> =>
  openToWrite(path, lockWaitMsMax, () => success(undefined))

/** Opens a store that someone else writes. */
export const openReader = (path: string): Outcome<Connection, string> => {
  const steps = readSqliteMigrations()
  return openWith({ path, readOnly: true, lockWaitMs: lockWaitMsMax }, (db) => {
    const missing = findPendingMigrations(db, steps)
    if (!missing.ok) return missing
    if (missing.value.length > 0) return failure('is not ready: its indexer must be started first')
    db.exec(readerPragmas)
    return wholeOf(db)
  })
}
