import { expect, test } from 'vitest'
import { identityOf } from '../../test/store-contract/fixtures.ts'
import { protocols } from '../domain/dex/registry.ts'
import { projectOf } from './pool-facts.ts'

test('rows of a pool name the project of its protocol, and v3 or v4', () => {
  const named = protocols.map(({ id, version }) =>
    projectOf({ ...identityOf(1), protocol: id, version }).join(' '),
  )
  expect(named).toEqual(
    protocols.map(({ id, version }) => `${id.replace(/-.*/, '')} ${version === 'v3' ? 3 : 4}`),
  )
  expect(named).toContain('pancakeswap 3')
})
