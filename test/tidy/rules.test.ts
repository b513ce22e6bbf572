import { expect, test } from 'vitest'
import { circleViolations } from './circles.ts'
import { constructViolations } from './constructs.ts'
import { exportViolations } from './exports.ts'
import { layerViolations } from './layers.ts'
import { ownerViolations } from './owners.ts'
import { packageViolations } from './packages.ts'
import { shapeViolations } from './shape.ts'
import { parseSource, type Source, type Violation } from './source.ts'
import { unitViolations } from './unit.ts'
import { wordViolations } from './words.ts'

/*
 * Each rule is shown the least that breaks it, and the nearest that does not: a style test that
 * can not fail would be worse than none.
 */

type Rule = (source: Source) => readonly Violation[]

const broken = (rule: Rule, path: string, text: string) =>
  rule(parseSource(path, text)).map(({ line, what }) => `${line}: ${what}`)

test.each([
  ['src/domain/a.ts', "import { x } from './pool/b.ts'", []],
  ['src/domain/a.ts', "import { keccak256 } from 'viem'", ['the package viem']],
  ['src/domain/a.ts', "import { join } from 'node:path'", ['node:path']],
  ['src/domain/pool/a.ts', "import type { X } from '../../ports/store.ts'", ['ports']],
  ['src/domain/pool/a.test.ts', "import { keccak256 } from 'viem'", []],
  ['src/indexer/a.ts', "import type { Store } from '../ports/store.ts'", []],
  ['src/indexer/a.ts', "import { x } from '../rpc/b.ts'", ['rpc']],
  ['src/indexer/a.ts', "const x = await import('../api/b.ts')", ['api']],
  ['src/quotes/a.ts', "import { x } from '../rpc/b.ts'", ['rpc']],
  ['src/store/sqlite/a.ts', "import { DatabaseSync } from 'node:sqlite'", []],
  ['src/api/routes/a.ts', "import { x } from '../../indexer/b.ts'", ['indexer']],
  ['src/log/a.ts', "import { x } from '../../sandbox/b.ts'", ['../sandbox/b.ts']],
  ['src/cli/main.ts', "import { x } from '../../sandbox/b.ts'", []],
])('%s: %s', (path, text, refused) => {
  const layer = path.split('/')[1]
  const found = refused.map((what) => `1: ${layer} may not import ${what.replace('../', '')}`)
  expect(broken(layerViolations, path, text)).toEqual(found)
})

test.each([
  ['src/ports/store.ts', "'../domain/a.ts'", 'ports may import types only'],
  ['sandbox/a.ts', "'../src/b.ts'", 'the sandbox may import only types of src'],
])('%s takes types of %s', (path, from, what) => {
  expect(broken(layerViolations, path, `import { x } from ${from}`)).toEqual([`1: ${what}`])
  expect(broken(layerViolations, path, `import type { X } from ${from}`)).toEqual([])
})

test('a new folder needs a rule', () => {
  const found = broken(
    layerViolations,
    'src/new/a.ts',
    "import type { X } from '../ports/store.ts'",
  )
  expect(found).toEqual(['1: no import rule for new'])
})

test.each([
  ['src/api/a.ts', 'const now = Date.now()', 'Date.now'],
  ['src/cli/clock.ts', 'const now = Date.now()', null],
  ['src/api/a.test.ts', 'const now = Date.now()', null],
  ['src/api/a.ts', 'const then = new Date(5)', 'new Date'],
  ['src/api/a.ts', 'const dice = Math.random', 'Math.random'],
  ['src/api/a.ts', 'const { PORT } = process.env', 'process.env'],
  ['src/api/a.ts', "await fetch('x')", 'fetch'],
  ['src/api/a.ts', 'source.fetch(); const o = { fetch: 1 }; type T = { fetch: 1 }', null],
  ['src/api/a.ts', "console.log('x')", 'console'],
  ['sandbox/a.ts', 'const now = Date.now()', 'Date.now'],
])('%s: %s has no owner: %s', (path, text, what) => {
  const found = broken(ownerViolations, path, text).map((each) => each.split(' is used outside')[0])
  expect(found).toEqual(what === null ? [] : [`1: ${what}`])
})

test.each([
  ['const f = async () => 1', 'the domain is not async'],
  ['const f = () => Promise.resolve(1)', 'the domain may not use Promise'],
  ['const t = Date.parse(text)', 'the domain may not use Date'],
  ['setTimeout(f, 1)', 'the domain may not use setTimeout'],
  ['const p = { process: 1 }.process', null],
])('in the domain: %s: %s', (text, what) => {
  const found = broken(ownerViolations, 'src/domain/a.ts', text)
  expect(found).toEqual(what === null ? [] : [`1: ${what}`])
  expect(broken(ownerViolations, 'src/net/a.ts', text)).toEqual([])
})

const functionOf = (lines: number) => `const f = () => {\n${'f()\n'.repeat(lines - 2)}}\n`

test.each([
  ['src/a.ts', functionOf(50), null],
  ['src/a.ts', functionOf(51), '1: the function has 51 lines of its own, more than 50'],
  ['src/a.test.ts', functionOf(51), null],
  ['src/a.ts', 'f()\n'.repeat(300), null],
  ['src/a.ts', 'f()\n'.repeat(301), '1: the file has 301 lines, more than 300'],
  ['src/a.ts', `f()\nf(${' 1,'.repeat(32)} )`, null],
  ['src/a.ts', `f()\nf(${' 1,'.repeat(33)} )`, '2: the line has 103 characters, more than 100'],
  ['src/a.ts', `const hash = 'x${'0'.repeat(100)}'`, null],
  ['src/aFile.ts', '', '1: the file name is not in kebab-case'],
  ['src/a-file.test.ts', '', null],
])('%s, %#', (path, text, what) => {
  expect(broken(shapeViolations, path, text)).toEqual(what === null ? [] : [what])
})

// What the rules look for is put together here, or they would find it in this file.
const [note, skip] = ['TO' + 'DO', 'sk' + 'ip']

test.each([
  ['src/a.ts', 'const x: any = 1', '1: any: use the real type, or unknown'],
  ['src/a.ts', "const any = 'any'", null],
  ['src/a.ts', 'export default 1', '1: a default export: use a named export'],
  ['src/a.ts', "export { x } from './b.ts'", '1: a re-export: import from the defining file'],
  ['src/a.ts', "export * from './b.ts'", '1: a re-export: import from the defining file'],
  ['src/a.ts', 'const x = 1\nexport { x }', null],
  ['src/a.ts', 'class A {}', '1: a class: write a factory createX(deps)'],
  ['src/a.test.ts', 'class A {}', null],
  ['src/a.ts', 'f(a!)', '1: a non-null `!`: narrow the type, or handle null'],
  ['src/a.test.ts', 'f(a!)', null],
  ['src/a.ts', `f()\n// ${note} later`, '2: a leftover note: do it or remove it'],
  ['src/a.test.ts', `test.${skip}('x')`, '1: a skipped, focused or conditional test'],
  ['src/a.test.ts', `test.${skip}If(true)('x')`, '1: a skipped, focused or conditional test'],
  ['src/a.test.ts', `list.${skip}(1)`, null],
  ['src/indexer/a.ts', "f('DexScreener')", '1: the name of a vendor: the indexer uses ports only'],
  ['src/indexer/a.ts', "f('SELECT 1')", '1: SQL or HTTP: the indexer uses ports only'],
  ['src/screener/a.ts', "f('DexScreener')", null],
])('%s: %j: %s', (path, text, what) => {
  expect(broken(constructViolations, path, text)).toEqual(what === null ? [] : [what])
})

const a = 'export const a = 1\nexport type T = number\nexport const b = (t: T) => a + t'

test.each<readonly [string, Readonly<Record<string, string>>, readonly string[]]>([
  ['all in use', { 'src/b.ts': "import { a, b } from './a.ts'" }, []],
  ['all taken at once', { 'src/b.ts': "const m = await import('./a.ts')" }, []],
  [
    'one for its own file only',
    { 'src/b.ts': "import { b } from './a.ts'" },
    ['1: a is exported, but no file imports it'],
  ],
  [
    'one shown to a test',
    { 'src/b.test.ts': "import { a, b } from './a.ts'" },
    ['3: b is used by tests only'],
  ],
  ['none', {}, ['1: a is exported, but no file imports it', '3: b is unused']],
])('exports: %s', (_what, others, found) => {
  const files = Object.entries({ 'src/a.ts': a, ...others })
  const violations = exportViolations(files.map(([path, text]) => parseSource(path, text)))
  expect(violations.map(({ line, what }) => `${line}: ${what}`)).toEqual(found)
})

test.each([
  ['src/a.test.ts', "import { fork } from 'node:child_process'", true],
  ['src/a.test.ts', "import type { ChildProcess } from 'node:child_process'", false],
  ['src/a.test.ts', "import { start } from '../test/setup/start.ts'", true],
  ['src/a.test.ts', "import { b } from './b.ts'", false],
  ['src/a.integration.test.ts', "import { fork } from 'node:child_process'", false],
  ['test/a.test.ts', "import { fork } from 'node:child_process'", false],
])('%s: %s is no unit test: %s', (path, text, isRefused) => {
  const spawning = "import { spawn } from 'node:child_process'"
  const files = [
    [path, text],
    ['src/b.ts', spawning],
    ['test/setup/start.ts', spawning],
  ] as const
  const found = unitViolations(files.map(([at, source]) => parseSource(at, source)))
  expect(found.map((each) => each.path)).toEqual(isRefused ? [path] : [])
})

test('packages: undeclared, development only, unused, loose, unexplained, gone', () => {
  const file = {
    dependencies: { pino: '1.0.0', viem: '^2.0.0' },
    devDependencies: { vitest: '3.0.0' },
  }
  const page = '| `pino` | 1.0.0 | MIT |\n| `viem` | ^2.0.0 | MIT |\n| `old` | 1.0.0 | MIT |'
  const source = parseSource(
    'src/a.ts',
    "import { pino } from 'pino'\nimport { x } from 'vitest/node'\nimport { y } from '@a/b/c'",
  )
  expect(packageViolations([source], file, page)).toEqual([
    { path: 'src/a.ts', line: 2, what: 'vitest is not among the dependencies of package.json' },
    { path: 'src/a.ts', line: 3, what: '@a/b is not among the dependencies of package.json' },
    { path: 'package.json', line: 1, what: 'viem is a dependency that src does not import' },
    { path: 'package.json', line: 1, what: 'viem ^2.0.0 is not pinned' },
    { path: 'docs/dependencies.md', line: 1, what: 'no row for vitest 3.0.0' },
    { path: 'docs/dependencies.md', line: 1, what: 'old is not in package.json' },
  ])
})

test('circles: none, of values, of types', () => {
  const circles = (files: Readonly<Record<string, string>>) =>
    circleViolations(Object.entries(files).map(([path, text]) => parseSource(path, text)))
  expect(circles({ 'src/a.ts': "import { b } from './b.ts'", 'src/b.ts': 'export {}' })).toEqual([])
  expect(
    circles({
      'src/a.ts': "import { b } from './b.ts'",
      'src/b.ts': "import { c } from './c.ts'",
      'src/c.ts': "\nimport type { B } from './b.ts'",
    }),
  ).toEqual([
    { path: 'src/c.ts', line: 2, what: 'an import circle: src/b.ts -> src/c.ts -> src/b.ts' },
  ])
})

test.each([
  ['const createNewsDesk = 1', 'news Desk'],
  ['// The range is read anew.', 'anew'],
  ['a store that can not be read', 'can not'],
  ['see price-desk.ts', 'price desk'],
  ['the installer, retold', null],
])('words: %s', (text, word) => {
  const found = wordViolations('src/a.ts', text).map(({ what }) =>
    what.split("'")[1]?.toLowerCase(),
  )
  expect(found).toEqual(word === null ? [] : [word.toLowerCase()])
})
