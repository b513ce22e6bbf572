import { expect, test } from 'vitest'
import { backupTables } from '../shared/backup-tables.ts'
import { sqliteBackupQuery } from './backup-source.ts'
import { openWriter } from './open.ts'

// What has millions of rows must come in its order as it is read: a sorter would hold all of it.

const small = ['quotes', 'sources', 'reserves', 'stocks', 'tokens', 'searched']
const large = backupTables.filter(({ name, order }) => order.length > 0 && !small.includes(name))

test.each(large.map((table) => [table.name, table] as const))('%s', (_, table) => {
  const opened = openWriter(':memory:')
  if (!opened.ok) throw new Error(opened.fault)
  const plan = opened.value
    .prepare(`EXPLAIN QUERY PLAN ${sqliteBackupQuery(table)}`)
    .all([])
    .map((step) => String(step[3]))
  opened.value.close()
  // Within one log of one block there is little to put in order.
  const sorters = plan.filter((step) => /TEMP B-TREE/.test(step) && !/LAST TERM/.test(step))
  expect(sorters).toEqual([])
})
