import { expect, test } from 'vitest'
import { addressOf, noon } from '../../../test/support/domain/sample-inputs.ts'
import { createMemoryStore } from '../../../test/support/market/memory-store.ts'
import { anchorAt } from '../../../test/support/market/sample-market.ts'
import { withRecentCursors } from './recent-cursors.ts'
import { createStoreSync } from './store-sync.ts'

const followed = () => {
  const store = createMemoryStore()
  const sync = withRecentCursors(createStoreSync({ store, trusted: [] }))
  const move = async (block: number, hash = anchorAt(block, noon).hash) => {
    store.write({ header: { cursor: { ...anchorAt(block, noon), hash } } })
    await sync.read(async () => null)
  }
  return { sync, move }
}

test('the cursors of the last reads are known, older ones and others are not', async () => {
  const { sync, move } = followed()
  expect(sync.hashOf(1)).toBeNull()
  for (let block = 1; block <= 70; block++) await move(block)
  expect(sync.hashOf(70)).toBe(anchorAt(70, noon).hash)
  expect(sync.hashOf(7)).toBe(anchorAt(7, noon).hash)
  expect(sync.hashOf(6)).toBeNull()
  expect(sync.hashOf(71)).toBeNull()
})

test('a block that was two different ones has no hash', async () => {
  const { sync, move } = followed()
  await move(5)
  await move(6)
  await move(5, `0x${addressOf(9).slice(2).padStart(64, '0')}`)
  expect(sync.hashOf(5)).toBeNull()
  expect(sync.hashOf(6)).toBe(anchorAt(6, noon).hash)
})
