import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { failure, type Outcome, success } from '../../domain/outcome.ts'

export type Migration = { readonly name: string; readonly sql: string }

/** Reads the named `.sql` files of a folder. */
export const readMigrations = (folder: URL, names: readonly string[]): readonly Migration[] =>
  names.map((name) => ({ name, sql: readFileSync(new URL(name, folder), 'utf8') }))

/** The same for a checkout with other line ends. */
export const migrationChecksum = (step: Migration): string =>
  createHash('sha256').update(step.sql.replaceAll('\r\n', '\n')).digest('hex')

export type AppliedMigration = { readonly name: string; readonly checksum: string }

/** The migrations that a store lacks; fails if it does not match this program's. */
export const pendingMigrations = (
  applied: readonly AppliedMigration[],
  steps: readonly Migration[],
): Outcome<readonly Migration[], string> => {
  for (const [at, { name, checksum }] of applied.entries()) {
    const step = steps[at]
    if (step === undefined) {
      return failure(`was written by a newer version of this program (migration ${name})`)
    }
    if (checksum !== migrationChecksum(step)) {
      return failure(
        `does not match this program: migration ${name} was changed after it was applied`,
      )
    }
  }
  return success(steps.slice(applied.length))
}
