import { closeSync, openSync, readSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { failure, type Outcome, success } from '../../domain/outcome.ts'

/** Where a database file has its `user_version` (sqlite.org/fileformat.html §1.3). */
const holderAt = 60

/** SQLite's primary result code of a locked file (sqlite.org/rescode.html). */
const busyCode = 5

const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && Number(error.errcode) % 256 === busyCode

const readHolder = (path: string): string => {
  const bytes = Buffer.alloc(4)
  const file = openSync(path, 'r')
  try {
    readSync(file, bytes, 0, bytes.length, holderAt)
  } finally {
    closeSync(file)
  }
  const pid = bytes.readUInt32BE()
  return pid === 0 ? 'another process' : `process ${pid}`
}

const lock = (db: DatabaseSync): void => {
  // In this mode the lock of the first write stays until the connection closes.
  db.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = MEMORY')
  db.exec(`BEGIN EXCLUSIVE; PRAGMA user_version = ${process.pid}; COMMIT`)
}

/**
 * Locks a file, which holds nothing else, for this process: until the release, or until the process
 * ends, however it ends. The lock is SQLite's, of which the system keeps account. Fails with who
 * holds it. Throws errors of the file. A process locks a file once at a time.
 */
export const lockFile = (path: string): Outcome<() => void, string> => {
  // Its error says why a file cannot be written, which that of SQLite does not.
  closeSync(openSync(path, 'a'))
  const db = new DatabaseSync(path, { timeout: 0 })
  try {
    lock(db)
    return success(() => db.close())
  } catch (error) {
    db.close()
    if (isBusy(error)) return failure(readHolder(path))
    throw error
  }
}
