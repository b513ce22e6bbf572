import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { namedSchemas } from '../openapi/components.ts'
import { listSchemaFields } from './schema-table.ts'

/*
 * The field tables in docs/api.md come from the schemas. After a change of a schema,
 * `npx vitest run src/api/docs --update` writes them.
 */

const file = new URL('../../../docs/api.md', import.meta.url)
const documented = [
  ...['Health', 'Status', 'Methodology', 'Pool', 'PoolSeriesRow', 'Swap', 'ScreenerCheck'],
  ...[
    'HookReview',
    'PastBlock',
    'PoolQuote',
    'PoolDepth',
    'Candle',
    'PastSwap',
    'LiquidityChange',
    'PoolProvenance',
    'Stock',
    'StockSeriesRow',
    'StockQuote',
    'StockDepth',
    'TokenPrice',
    'ResolvedToken',
    'ExportedFile',
  ],
]

const table = (name: string): string => {
  const schema = namedSchemas[name]
  if (schema === undefined) throw new Error(`no schema is called ${name}`)
  const rows = listSchemaFields(schema).map(({ path, type, unit, meaning }) =>
    `| \`${path}\` | ${type} | ${unit} | ${meaning} |`.replaceAll('|  |', '| |'),
  )
  return ['| field | type | unit | meaning |', '|---|---|---|---|', ...rows].join('\n')
}

const block = /(<!-- fields of (\w+) -->\n)[\s\S]*?(\n<!-- end -->)/g

test('docs/api.md describes every field as its schema does', async () => {
  const text = await readFile(file, 'utf8')
  expect([...text.matchAll(block)].map(([, , name]) => name)).toEqual(documented)
  const written = text.replace(
    block,
    (_all, begin: string, name: string, end: string) => begin + table(name) + end,
  )
  await expect(written).toMatchFileSnapshot('../../../docs/api.md')
})
