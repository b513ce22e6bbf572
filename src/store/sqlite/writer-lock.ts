import { closeSync, mkdirSync, openSync, readSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describeFileError } from './open.ts'

/** Offset and length of `user_version` in a database file (sqlite.org/fileformat.html §1.3). */
const holderBytes = { offset: 60, length: 4 }

/** SQLite's primary result code of a file that another connection has locked. */
const busyCode = 5

const readHolder = (path: string): string => {
  const bytes = Buffer.alloc(holderBytes.length)
  const file = openSync(path, 'r')
  try {
    readSync(file, bytes, 0, holderBytes.length, holderBytes.offset)
  } finally {
    closeSync(file)
  }
  const pid = bytes.readUInt32BE()
  return pid === 0 ? 'another process' : `process ${pid}`
}

const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && Number(error.errcode) % 256 === busyCode

/**
 * Makes this process the only one that writes the store, until its end, even a sudden one: SQLite's
 * lock on the file `<path>.lock`, which the system frees with the process. Returns in one line why
 * that is impossible, or null. To be called once in a process.
 */
export const lockWriter = (path: string): string | null => {
  const lockPath = `${path}.lock`
  let db: DatabaseSync | undefined
  try {
    mkdirSync(dirname(path), { recursive: true })
    const opened = new DatabaseSync(lockPath, { timeout: 0 })
    db = opened
    // In this mode the lock of the first write stays until the connection closes.
    db.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = MEMORY')
    db.exec(`BEGIN EXCLUSIVE; PRAGMA user_version = ${process.pid}; COMMIT`)
    // Refers to the connection: a collected one would give the lock back.
    process.once('exit', () => opened.close())
    return null
  } catch (error) {
    db?.close()
    if (!isBusy(error)) return `store ${path} ${describeFileError(error)}`
    return `store ${path} is in use by ${readHolder(lockPath)}: stop that one first`
  }
}
