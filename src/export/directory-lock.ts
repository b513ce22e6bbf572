import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { failure, type Outcome, success } from '../domain/outcome.ts'

const lockName = '.lock'
/** SQLite's primary result code (sqlite.org/rescode.html). */
const busy = 5

const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && error.errcode === busy

/**
 * Locks the directory against other exports until the release. The lock is SQLite's on an empty
 * file: the system ends it with the process, however that ends.
 */
export const lockDirectory = (directory: string): Outcome<() => void, string> => {
  const path = join(directory, lockName)
  // Its error says why a file cannot be written, which that of SQLite does not.
  closeSync(openSync(path, 'a'))
  const db = new DatabaseSync(path, { timeout: 0 })
  try {
    db.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    db.close()
    if (isBusy(error)) return failure(`${directory} is in use by another export`)
    throw error
  }
  return success(() => {
    db.exec('ROLLBACK')
    db.close()
  })
}
