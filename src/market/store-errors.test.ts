import { expect, test } from 'vitest'
import { sampleStore } from '../../test/support/market/sample-market.ts'
import { isStoreError, markStoreErrors } from './store-errors.ts'

const down = () => Promise.reject(new Error('connection refused'))
const store = sampleStore()

// who fails -> whether it is the store's fault
test.each([
  ['the store, when it is opened', { snapshot: down }, true],
  [
    'the store, when it is read',
    {
      snapshot: <T>(read: Parameters<typeof store.snapshot<T>>[0]) =>
        store.snapshot<T>((snapshot) => read({ ...snapshot, header: down })),
    },
    true,
  ],
  [
    'the store, after it was read',
    {
      snapshot: <T>(read: Parameters<typeof store.snapshot<T>>[0]) =>
        store.snapshot<T>(read).then(down),
    },
    true,
  ],
])('%s', async (_, failing, expected) => {
  const error = await markStoreErrors(failing as typeof store)
    .snapshot((snapshot) => snapshot.header())
    .catch((caught: unknown) => caught)
  expect(isStoreError(error)).toBe(expected)
})

test('passes on errors of the caller unmarked', async () => {
  const bug = new Error('bug')
  const read = markStoreErrors(store).snapshot(() => Promise.reject(bug))
  await expect(read).rejects.toBe(bug)
  expect(isStoreError(bug)).toBe(false)
})
