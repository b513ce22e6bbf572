import { expect, test } from 'vitest'
import { blockRefAt } from '../../test/store-contract/fixtures.ts'
import { success } from '../domain/outcome.ts'
import { createConfirmedBlock, stateAgeBlocksMax } from './confirmed-block.ts'

test('is the cursor once it has moved in this process, and the head until then', async () => {
  const heads = { latest: blockRefAt(100), finalized: null }
  let cursor = blockRefAt(90, 1)
  const read = createConfirmedBlock({
    heads: { read: async () => success(heads), last: () => heads, forget: () => {} },
    cursor: () => cursor,
  })
  // The stored cursor may be of a branch that the chain has left.
  expect(await read()).toEqual(success(blockRefAt(100)))
  cursor = blockRefAt(95)
  expect(await read()).toEqual(success(blockRefAt(95)))
  cursor = blockRefAt(99 - stateAgeBlocksMax)
  expect(await read()).toEqual(success(blockRefAt(100)))
})
