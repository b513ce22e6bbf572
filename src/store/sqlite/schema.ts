import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { failure, type Outcome, success } from '../../domain/outcome.ts'
import type { Row } from './table.ts'

export type SchemaStep = { readonly name: string; readonly sql: string }

/** Forward only: a step that has been released is never edited, a new one is added instead. */
const stepNames = [
  '0001-first-schema.sql',
  '0002-lapsed-quotes.sql',
  '0003-screener-figures.sql',
  '0004-first-reading.sql',
]

export const readSchemaSteps = (): readonly SchemaStep[] =>
  stepNames.map((name) => ({
    name,
    sql: readFileSync(new URL(`./migrations/${name}`, import.meta.url), 'utf8'),
  }))

/** "SPOL" in the file's header: tells our files from those of other programs. */
const applicationId = 0x53504f4c

/** A checkout with other line ends is the same step. */
const checksumOf = (step: SchemaStep): string =>
  createHash('sha256').update(step.sql.replaceAll('\r\n', '\n')).digest('hex')

const rowsOf = (db: DatabaseSync, sql: string): readonly Row[] => {
  const statement = db.prepare(sql)
  statement.setReturnArrays(true)
  return statement.all() as unknown as readonly Row[]
}

/** The steps that the file still lacks, or why it is not ours to use; changes nothing. */
export const missingSteps = (
  db: DatabaseSync,
  steps: readonly SchemaStep[],
): Outcome<readonly SchemaStep[], string> => {
  const id = rowsOf(db, 'PRAGMA application_id')[0]?.[0]
  if (id !== applicationId) {
    const objects = rowsOf(db, 'SELECT COUNT(*) FROM sqlite_schema')[0]?.[0]
    return id === 0 && objects === 0 ? success(steps) : failure('belongs to another program')
  }
  const applied = rowsOf(db, 'SELECT name, checksum FROM schema_steps ORDER BY number')
  for (const [at, [name, checksum]] of applied.entries()) {
    const step = steps[at]
    if (step === undefined) {
      return failure(`was written by a newer version of this program (schema step ${name})`)
    }
    if (checksum !== checksumOf(step)) {
      return failure(`was made by another schema step ${name} than this program knows`)
    }
  }
  return success(steps.slice(applied.length))
}

const apply = (db: DatabaseSync, steps: readonly SchemaStep[], missing: readonly SchemaStep[]) => {
  db.exec(`PRAGMA application_id = ${applicationId}`)
  db.exec(`CREATE TABLE IF NOT EXISTS schema_steps
    (number INTEGER PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL) STRICT`)
  const record = db.prepare('INSERT INTO schema_steps (number, name, checksum) VALUES (?, ?, ?)')
  for (const step of missing) {
    db.exec(step.sql)
    record.run(steps.indexOf(step) + 1, step.name, checksumOf(step))
  }
}

/** Brings the file's schema up to date in one transaction, or says why it can not be used. */
export const upgradeSchema = (
  db: DatabaseSync,
  steps: readonly SchemaStep[],
): Outcome<void, string> => {
  // Judged inside the transaction: two processes may open a new file at the same moment.
  db.exec('BEGIN IMMEDIATE')
  try {
    const missing = missingSteps(db, steps)
    if (missing.ok && missing.value.length > 0) apply(db, steps, missing.value)
    db.exec('COMMIT')
    return missing.ok ? success(undefined) : missing
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK')
    throw error
  }
}
