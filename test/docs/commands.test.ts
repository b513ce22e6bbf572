import { existsSync, globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { startProcess } from '../setup/processes.ts'

/* What a reader of the documents may type or click exists. */

const root = fileURLToPath(new URL('../../', import.meta.url))
const pages = globSync(['*.md', '{docs,ops,sandbox,examples,bench}/**/*.md'], { cwd: root }).sort()
const read = (path: string): string => readFileSync(`${root}${path}`, 'utf8')

const { scripts } = JSON.parse(read('package.json')) as {
  readonly scripts: Readonly<Record<string, string>>
}

/** A citation such as [velo `src/a.sol`] names a file of another repository. */
const withoutCitations = (text: string): string =>
  text.replace(/\[[a-z0-9]+\b[^\]]*`[^\]]*\](?!\()/g, '')

/** Everything that stands as code: fenced blocks and spans. */
const codeOf = (page: string): readonly string[] =>
  (withoutCitations(read(page)).match(/```[\s\S]*?```|`[^`\n]+`/g) ?? []).flatMap((code) =>
    code.split('\n'),
  )

const found = (pattern: RegExp): readonly (readonly [page: string, name: string])[] =>
  pages.flatMap((page) =>
    codeOf(page).flatMap((line) =>
      [...line.matchAll(pattern)].map(([, name]) => [page, name ?? ''] as const),
    ),
  )

test('every npm script that is named exists', () => {
  const named = found(/\bnpm run ([\w:-]+)/g)
  expect(named.length).toBeGreaterThan(10)
  expect(named.filter(([, name]) => scripts[name] === undefined)).toEqual([])
})

test('every command of stockpools that is named exists', async () => {
  const help = await startProcess(process.execPath, ['bin/stockpools.mjs', '--help'], { cwd: root })
    .ended
  const commands = [...help.stdout.matchAll(/^ {2}([a-z]+) {2,}/gm)].map(([, name]) => name)
  expect(commands).toContain('start')
  // Behind a prompt, at the beginning, or after npm's `--`: elsewhere it is the name of something.
  const named = found(/(?:^|`|\$ |npm run )stockpools(?: --)? ([a-z]+)\b/g)
  expect(named.length).toBeGreaterThan(5)
  expect(named.filter(([, name]) => !commands.includes(name))).toEqual([])
})

test('every script that node is to run is there, and is brought a Node that can run it', () => {
  const named = found(/\bnode ((?:[\w-]+\/)*[\w-]+\.[a-z]+(?: [\w/-]+\.ts)?)/g)
  const paths = named.flatMap(([page, text]) => text.split(' ').map((path) => [page, path]))
  expect(paths.filter(([, path]) => !existsSync(`${root}${path}`))).toEqual([])
  // Plain JavaScript runs everywhere; TypeScript goes through bin/run.mjs.
  expect(named.filter(([, text]) => text.endsWith('.ts') && !text.startsWith('bin/'))).toEqual([])
  const direct = Object.values(scripts).filter((script) => !/^(node bin|npm run)/.test(script))
  expect(direct).toEqual([])
})

test('every link between the documents leads to a file', () => {
  const broken = pages.flatMap((page) =>
    [...read(page).matchAll(/\]\((?!https?:|#)([^)#\s]+)[^)]*\)/g)]
      .map(([, target]) => new URL(target ?? '', `file://${root}${page}`))
      .filter((target) => !existsSync(target))
      .map((target) => `${page}: ${target.pathname.slice(root.length)}`),
  )
  expect(broken).toEqual([])
})

test('every path of the repository that is named is there', () => {
  const named = found(/^`((?:src|test|bench|bin|ops|sandbox|dashboard|examples)\/[\w./-]+)`$/g)
  expect(named.length).toBeGreaterThan(50)
  // What the benchmark writes is not of the repository.
  const kept = named.filter(([, path]) => !path.startsWith('bench/out'))
  expect(kept.filter(([, path]) => !existsSync(`${root}${path}`))).toEqual([])
})

test('every decision has a status, a date and a row in the index', () => {
  const index = read('docs/decisions/README.md')
  const records = globSync('docs/decisions/[0-9]*.md', { cwd: root })
  expect(records.length).toBeGreaterThan(10)
  for (const record of records) {
    const [title = '', , status = ''] = read(record).split('\n')
    const [, state, date] = /^Status: (.+), (\d{4}-\d\d-\d\d)\.$/.exec(status) ?? []
    const row = `(${record.split('/').at(-1)}) | ${title.slice(2)} | ${state} | ${date} |`
    expect(index).toContain(row)
  }
})
