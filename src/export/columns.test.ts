import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parquetMetadata } from 'hyparquet'
import { expect, onTestFinished, test } from 'vitest'
import { sqliteLocation, temporaryFolder, unwrap } from '../../test/support/backup/homes.ts'
import { fillDays } from '../../test/support/export/filled-store.ts'
import { runExport } from '../../test/support/export/run-export.ts'
import { type ExportDataset, exportDatasets } from '../domain/history/exported-file.ts'
import { openSqliteDays } from '../store/sqlite/day-store.ts'

const page = readFileSync(new URL('../../docs/export.md', import.meta.url), 'utf8')

const documentedColumns = (dataset: ExportDataset): readonly string[] => {
  const section = page.split(`\n### ${dataset}\n`)[1]?.split('\n### ')[0] ?? ''
  return [...section.matchAll(/^\| `(\w+)` \| (\w+) \| (null)? ?\|/gm)].map(
    ([, name, type, nullable]) => `${name} ${type}${nullable === undefined ? '' : ' null'}`,
  )
}

const typeNames: Readonly<Record<string, string>> = {
  'BYTE_ARRAY UTF8': 'text',
  INT32: 'int32',
  INT64: 'int64',
  DOUBLE: 'double',
  BOOLEAN: 'flag',
  'INT64 TIMESTAMP_MILLIS': 'timestamp',
  'INT32 DATE': 'date',
}

const writtenColumns = (path: string): readonly string[] => {
  const { buffer, byteOffset, byteLength } = readFileSync(path)
  const file = buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer
  const [, ...elements] = parquetMetadata(file).schema
  return elements.map(({ name, type, converted_type, repetition_type }) => {
    const key = converted_type === undefined ? `${type}` : `${type} ${converted_type}`
    return `${name} ${typeNames[key]}${repetition_type === 'OPTIONAL' ? ' null' : ''}`
  })
}

test('docs/export.md lists the columns of every dataset, with type and null', async () => {
  const folder = temporaryFolder(onTestFinished)
  const location = sqliteLocation(folder)
  const store = unwrap(await location.openStore())
  await fillDays(store)
  await store.close()
  const days = unwrap(openSqliteDays(location.url.slice('sqlite:'.length)))
  for (const dataset of exportDatasets) {
    const out = join(folder, 'out')
    unwrap(await runExport(days, out, { dataset }))
    const [name = ''] = readdirSync(join(out, dataset))
    expect(documentedColumns(dataset)).toEqual(writtenColumns(join(out, dataset, name)))
  }
  await days.close()
})
