import { expect, it } from 'vitest'
import type { PoolEvent } from '../pool/pool-event.ts'
import { createFeeAnnouncements } from './announced-fees.ts'

const at = (block: number, logIndex: number) =>
  ({ block, blockHash: '0x1', ts: 0, txHash: '0x2', txIndex: 0, logIndex }) as const

const announcement = (block: number, logIndex: number, poolId: PoolEvent['poolId']): PoolEvent => ({
  ...{ kind: 'swap-fees-announced', poolId, at: at(block, logIndex) },
  ...{ overrideFee: 700, pluginFee: 30 },
})

const swap = (block: number, logIndex: number): PoolEvent => ({
  ...{ kind: 'swapped', poolId: '0xaa', at: at(block, logIndex), amount0: 1n, amount1: -1n },
  ...{ sqrtPriceX96: 1n, liquidity: 1n, tick: 0, fee: null, sender: '0x1', recipient: null },
})

it.each([
  ['of the log right before it', announcement(5, 8, '0xaa'), true],
  ['not of an earlier log', announcement(5, 7, '0xaa'), false],
  ['not of another block', announcement(4, 8, '0xaa'), false],
  ['not of another pool', announcement(5, 8, '0xbb'), false],
])('a swap has the fees %s', (_, before, isOfSwap) => {
  const announce = createFeeAnnouncements()
  expect(announce(before)).toBe(null)
  const announced = { announced: { overrideFee: 700, pluginFee: 30 } }
  expect(announce(swap(5, 9))).toEqual({ ...swap(5, 9), ...(isOfSwap ? announced : {}) })
  expect(announce(swap(5, 10))).toEqual(swap(5, 10))
})
