import { expect, it } from 'vitest'
import type { PoolIdentity } from './pool-state.ts'
import { sharedIdentity } from './shared-identity.ts'

const identity: PoolIdentity = {
  number: 7,
  id: '0x07',
  version: 'v4',
  venue: '0xf0',
  key: { token0: '0x01', token1: '0x02', fee: 500, tickSpacing: 10, hooks: '0x00' },
  createdBlock: 1,
  createdTs: 2,
}

it('is the same identity, with hooks and without', () => {
  const hookless = { ...identity, key: { ...identity.key, hooks: null } }
  expect(sharedIdentity(identity)).toEqual(identity)
  expect(sharedIdentity(hookless)).toEqual(hookless)
})
