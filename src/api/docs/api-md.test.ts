import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { namedSchemas } from '../openapi/components.ts'
import { listSchemaFields } from './schema-table.ts'

/*
 * The tables of fields in docs/api.md are the schemas' own words. After a change of a schema
 * `npx vitest run src/api/docs --update` writes them again.
 */

const file = new URL('../../../docs/api.md', import.meta.url)
const documented =
  'Health Status Methodology Pool PoolSeriesRow Swap ScreenerCheck Stock StockSeriesRow'.split(' ')

const table = (name: string): string => {
  const schema = namedSchemas[name]
  if (schema === undefined) throw new Error(`no schema is called ${name}`)
  const rows = listSchemaFields(schema).map(({ path, kind, unit, meaning }) =>
    `| \`${path}\` | ${kind} | ${unit} | ${meaning} |`.replaceAll('|  |', '| |'),
  )
  return ['| field | is | unit | meaning |', '|---|---|---|---|', ...rows].join('\n')
}

const block = /(<!-- fields of (\w+) -->\n)[\s\S]*?(\n<!-- end -->)/g

test('docs/api.md says of every field what its schema says', async () => {
  const text = await readFile(file, 'utf8')
  expect([...text.matchAll(block)].map(([, , name]) => name)).toEqual(documented)
  const written = text.replace(
    block,
    (_all, begin: string, name: string, end: string) => begin + table(name) + end,
  )
  await expect(written).toMatchFileSnapshot('../../../docs/api.md')
})
