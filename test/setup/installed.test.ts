import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { createTemporaryClone, loadFromBin, type TemporaryClone } from './temporary-clone.ts'

type Installed = {
  readonly isInstalled: (root: string) => boolean
  readonly writeStamp: (root: string) => void
}
const { isInstalled, writeStamp } = await loadFromBin<Installed>('setup/installed.mjs')

const here = { os: [process.platform], cpu: [process.arch] }
const elsewhere = { os: ['plan9'], cpu: [process.arch] }

const lock = {
  packages: {
    '': { dependencies: { one: '1.0.0' } },
    'node_modules/one': { version: '1.0.0', integrity: 'sha512-one' },
    'node_modules/two': { version: '2.0.0', integrity: 'sha512-two', dev: true },
    'node_modules/native-here': { version: '1.0.0', optional: true, ...here },
    'node_modules/native-elsewhere': { version: '1.0.0', optional: true, ...elsewhere },
    'node_modules/native-musl': { version: '1.0.0', optional: true, libc: ['musl'], ...here },
    'node_modules/of-a-native': { version: '1.0.0', optional: true },
  },
}
const { one, two, native } = {
  one: { 'node_modules/one': lock.packages['node_modules/one'] },
  two: { 'node_modules/two': lock.packages['node_modules/two'] },
  native: { 'node_modules/native-here': lock.packages['node_modules/native-here'] },
}

const stamp = 'node_modules/.stockpools-install'
const record = 'node_modules/.package-lock.json'

let clone: TemporaryClone
afterEach(() => clone.remove())

/** A clone with that lock file, and with node_modules as npm leaves it for these packages. */
const cloneWith = (packages: Readonly<Record<string, unknown>> | null) => {
  clone = createTemporaryClone({ 'package-lock.json': lock })
  if (packages === null) return
  clone.write(record, JSON.stringify({ packages }))
  for (const path of Object.keys(packages)) clone.write(join(path, 'package.json'), '{}')
}

test.each<readonly [string, Readonly<Record<string, unknown>> | null, boolean]>([
  ['nothing', null, false],
  ['what the lock file wants for this machine', { ...one, ...two, ...native }, true],
  ['the same without what only tests need', { ...one, ...native }, false],
  ['the same without the binary for this machine', { ...one, ...two }, false],
  [
    'another version',
    { ...two, ...native, 'node_modules/one': { version: '1.0.1', integrity: 'sha512-one' } },
    false,
  ],
  [
    'other bytes under the same version',
    { ...two, ...native, 'node_modules/one': { version: '1.0.0', integrity: 'sha512-other' } },
    false,
  ],
])('a user who installed %s: %#', (_what, packages, installed) => {
  cloneWith(packages)
  expect(isInstalled(clone.root)).toBe(installed)
  expect(existsSync(join(clone.root, stamp))).toBe(installed)
})

test('a package that was deleted by hand is missed', () => {
  cloneWith({ ...one, ...two, ...native })
  rmSync(join(clone.root, 'node_modules/two'), { recursive: true })
  expect(isInstalled(clone.root)).toBe(false)
})

test('an install of ours is known by its stamp, until the lock file changes', () => {
  cloneWith({ ...one })
  writeStamp(clone.root)
  expect(isInstalled(clone.root)).toBe(true)
  writeFileSync(join(clone.root, 'package-lock.json'), JSON.stringify({ ...lock, name: 'x' }))
  expect(isInstalled(clone.root)).toBe(false)
})

test('a half install, which has no record of npm, does not count', () => {
  cloneWith({ ...one, ...two, ...native })
  rmSync(join(clone.root, record))
  expect(isInstalled(clone.root)).toBe(false)
})

test('a published package, which has no lock file, was installed by others', () => {
  clone = createTemporaryClone()
  expect(isInstalled(clone.root)).toBe(true)
})
