import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { optionNames, options } from './options.ts'

const page = new URL('../../docs/configuration.md', import.meta.url)

const row = (cells: readonly string[]) =>
  `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`

const table = [
  row(['flag', 'environment', 'default', 'meaning']),
  row(['---', '---', '---', '---']),
  ...optionNames.map((name) => {
    const { flag, placeholder, environment, defaultText, help } = options[name]
    const words = [defaultText, help].map((text) => text.replaceAll('<', '&lt;'))
    return row([`\`${flag} ${placeholder}\``, `\`${environment}\``, ...words])
  }),
].join('\n')

test('docs/configuration.md holds the table of all options, word by word', () => {
  expect(readFileSync(page, 'utf8')).toContain(table)
})
