import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { publishedFormulas, stepFormulas } from '../../src/domain/provenance/formulas.ts'
import { formulaFunctions } from '../../src/domain/provenance/functions.ts'
import { nullReasons } from '../../src/domain/views/provenance.ts'

/*
 * The tables of docs/methodology.md §12 come from the code:
 * `npx vitest run test/docs/formulas.test.ts --update` writes them.
 */

const path = '../../docs/methodology.md'
const read = () => readFile(new URL(path, import.meta.url), 'utf8')

const formulas = { ...publishedFormulas, ...stepFormulas }

const functionRows = [...formulaFunctions].map(
  ([name, { meaning }]) => `| \`${name}\` | ${meaning} |`,
)

const numberOf = (section: string): string => `§${section.split('-')[0]}`

const formulaRows = Object.entries(formulas).map(([field, { section, formulas: byCase }]) => {
  const texts = [...new Set(Object.values(byCase))].map((text) => `\`${text}\``)
  return `| \`${field}\` | ${numberOf(section)} | ${texts.join('<br>')} |`
})

const tables: Readonly<Record<string, readonly string[]>> = {
  functions: ['| function | result |', '|---|---|', ...functionRows],
  formulas: ['| number | section | formula |', '|---|---|---|', ...formulaRows],
}

test('docs/methodology.md shows every function and formula as the code has them', async () => {
  const written = (await read()).replace(
    /(<!-- (functions|formulas) -->\n)[\s\S]*?(<!-- end -->)/g,
    (_all, begin: string, name: string, end: string) =>
      `${begin}${(tables[name] ?? []).join('\n')}\n${end}`,
  )
  await expect(written).toMatchFileSnapshot(path)
})

/** As GitHub makes anchors of headings. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} -]/gu, '')
    .replaceAll(' ', '-')

test('every section is an anchor of the page, and every reason is explained', async () => {
  const text = await read()
  const anchors = [...text.matchAll(/^## (.+)$/gm)].map(([, heading = '']) => anchorOf(heading))
  for (const { section } of Object.values(formulas)) expect(anchors).toContain(section)
  const explained = text.slice(text.indexOf('## 12. Formulas'))
  for (const reason of nullReasons) expect(explained).toContain(`\`${reason}\``)
})
