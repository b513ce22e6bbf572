import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { createTemporaryClone, loadFromBin, type TemporaryClone } from './temporary-clone.ts'

type Setup = { readonly ensureDashboard: (root: string, node: string) => Promise<boolean> }

/*
 * The build runs once for the same sources. A script stands in its place that counts its runs.
 */

const { ensureDashboard } = await loadFromBin<Setup>('setup/dashboard.mjs')

const counting = `
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
const [out] = process.argv.slice(2)
mkdirSync(out, { recursive: true })
writeFileSync(out + '/index.html', 'built')
appendFileSync('runs', 'x')
`

let clone: TemporaryClone | null = null
afterEach(() => clone?.remove())

const cloneOf = (files: Readonly<Record<string, string>>) => {
  clone = createTemporaryClone(files)
  const { root, write } = clone
  const runs = () => readFileSync(join(root, 'runs'), 'utf8').length
  return { root, write, runs, ensure: () => ensureDashboard(root, process.execPath) }
}

test('is built once, and again when a source has changed', async () => {
  const { root, write, runs, ensure } = cloneOf({
    'dashboard/index.html': '<p>',
    'bin/setup/build-dashboard.mjs': counting,
  })
  expect([await ensure(), await ensure(), runs()]).toEqual([true, true, 1])
  expect(readFileSync(join(root, 'dist/dashboard/index.html'), 'utf8')).toBe('built')
  write('dashboard/app.tsx', 'export {}')
  expect([await ensure(), runs()]).toEqual([true, 2])
})

test('processes that start together build once', async () => {
  const { runs, ensure } = cloneOf({
    'dashboard/index.html': '<p>',
    'bin/setup/build-dashboard.mjs': counting,
  })
  expect([await Promise.all([ensure(), ensure()]), runs()]).toEqual([[true, true], 1])
})

test('a failed build is reported, and the service starts anyway', async () => {
  const { ensure } = cloneOf({
    'dashboard/index.html': '<p>',
    'bin/setup/build-dashboard.mjs': 'process.exit(1)',
  })
  expect(await ensure()).toBe(false)
})

test('where there is no dashboard, nothing is built', async () => {
  const { ensure } = cloneOf({})
  expect(await ensure()).toBe(false)
})
