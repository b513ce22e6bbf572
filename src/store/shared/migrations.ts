import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { failure, type Outcome, success } from '../../domain/outcome.ts'

export type Migration = { readonly name: string; readonly sql: string }

/** Of a folder of `.sql` files, in this order. */
export const readMigrations = (folder: URL, names: readonly string[]): readonly Migration[] =>
  names.map((name) => ({ name, sql: readFileSync(new URL(name, folder), 'utf8') }))

/** A checkout with other line ends is the same step. */
export const migrationChecksum = (step: Migration): string =>
  createHash('sha256').update(step.sql.replaceAll('\r\n', '\n')).digest('hex')

export type AppliedMigration = { readonly name: string; readonly checksum: string }

/** The steps that a store still lacks, or why it is not this program's to use. */
export const pendingMigrations = (
  applied: readonly AppliedMigration[],
  steps: readonly Migration[],
): Outcome<readonly Migration[], string> => {
  for (const [at, { name, checksum }] of applied.entries()) {
    const step = steps[at]
    if (step === undefined) {
      return failure(`was written by a newer version of this program (schema step ${name})`)
    }
    if (checksum !== migrationChecksum(step)) {
      return failure(`was made by another schema step ${name} than this program knows`)
    }
  }
  return success(steps.slice(applied.length))
}
