import { randomUUID } from 'node:crypto'
import { failure, type Outcome, success } from '../../domain/outcome.ts'
import type { BackupRow, RestoreSink } from '../../ports/store-backup.ts'
import { backupTable, backupTables, type StoredTable } from './backup-tables.ts'
import { integer, text } from './codec.ts'
import type { Eventual, Session, Shape } from './session.ts'

/** The store that a restore fills. */
export type RestoreTarget = {
  readonly session: Session
  /** Path or URL, for error texts. */
  readonly name: string
  /** Appended to the query of the mark, where the engine has row locks. */
  readonly rowLock: '' | ' FOR UPDATE'
  /** Commits if `work` returns null; on an error text it has written nothing or rolls back. */
  readonly transaction: (work: () => Promise<string | null>) => Promise<string | null>
  readonly clear: () => Eventual<unknown>
  readonly insert: (table: StoredTable, rows: readonly BackupRow[]) => Eventual<unknown>
  /** Ends each transaction: an error text if another writer has taken over. */
  readonly checkLease?: () => Promise<string | null>
  /** One line that starts with the store; throws what is a bug. */
  readonly describeError: (error: unknown) => string
  readonly close: () => Promise<void>
}

const restoreId: Shape<string> = {
  forms: [text.form],
  fromRow: ([id]) => text.fromColumn(id),
}
const flag: Shape<boolean> = {
  forms: [integer.form],
  fromRow: ([value]) => value === 1,
}
const markQuery = 'SELECT import FROM half_import'
const anyRow = backupTables.map(({ name }) => `EXISTS (SELECT 1 FROM ${name})`).join(' OR ')
const hasRowsQuery = `SELECT CASE WHEN ${anyRow} THEN 1 ELSE 0 END`

const oldestSwapTs = 'SELECT COALESCE((SELECT MIN(ts) FROM swaps), indexed_ts)'

/** What migrations compute from other tables, by the table or column that an earlier file lacks. */
const completions: Readonly<Record<string, string>> = {
  replacements: `INSERT INTO replacements (epoch, block, ts)
    SELECT replacement_epoch, replacement_block, replacement_ts FROM header
    WHERE replacement_epoch IS NOT NULL`,
  'header.swaps_kept_since': `UPDATE header SET swaps_kept_since = (${oldestSwapTs})
    WHERE EXISTS (SELECT 1 FROM candles
      WHERE width = 3600 AND swaps > 0 AND ts + 3600 <= (${oldestSwapTs}))`,
}

/**
 * Each call is one transaction. The row of `half_import` names the import that fills the store:
 * while it is there, the store does not open.
 */
export const createRestoreSink = (target: RestoreTarget): RestoreSink => {
  const { session, name, insert } = target
  const id = randomUUID()
  const readMark = () => session.first(restoreId, markQuery + target.rowLock)
  const removeMark = () => session.run('DELETE FROM half_import')
  const attempt = async (work: () => Promise<string | null>): Promise<Outcome<void, string>> => {
    try {
      const fault = await target.transaction(work)
      return fault === null ? success(undefined) : failure(`store ${name} ${fault}`)
    } catch (error) {
      return failure(target.describeError(error))
    }
  }
  const attemptAsOwner = (work: () => Promise<unknown>) =>
    attempt(async () => {
      if ((await readMark()) !== id) return 'was taken over by another restore'
      await work()
      return (await target.checkLease?.()) ?? null
    })
  return {
    tables: backupTables,
    begin: () =>
      attempt(async () => {
        if ((await readMark()) !== null) await target.clear()
        else if (await session.first(flag, hasRowsQuery)) {
          return 'is not empty: a restore needs a store of its own'
        }
        await removeMark()
        await session.run('INSERT INTO half_import (id, import) VALUES (1, ?)', [id])
        return null
      }),
    write: (table, rows) => attemptAsOwner(async () => insert(backupTable(table), rows)),
    finish: (header, lacking) =>
      attemptAsOwner(async () => {
        await insert(backupTable('header'), [header])
        for (const [part, sql] of Object.entries(completions)) {
          if (lacking.includes(part)) await session.run(sql)
        }
        await removeMark()
      }),
    rollback: () =>
      attemptAsOwner(async () => {
        await target.clear()
        await removeMark()
      }),
    close: target.close,
  }
}
