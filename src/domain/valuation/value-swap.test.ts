import { describe, expect, test } from 'vitest'
import { addressOf, hexOf } from '../../../test/support/domain/sample-inputs.ts'
import type { StoredSwap } from '../pool/stored-rows.ts'
import { known, unknown } from '../reading.ts'
import { type SwapViewPool, toSwapView } from './value-swap.ts'

const e18 = 10n ** 18n
const e6 = 10n ** 6n

/** The pool received 450 USDG (token0, 6 decimals) and gave 2 NVDA (token1). */
const swap: StoredSwap = {
  pool: 1,
  block: 500,
  logIndex: 3,
  ts: 1_789_484_400,
  txHash: hexOf(9, 32),
  txIndex: 2,
  amount0: 450n * e6,
  amount1: -2n * e18,
  sqrtPriceX96: 123n,
  liquidity: 5n,
  tick: -7,
  fee: null,
  sender: addressOf(1),
  recipient: addressOf(2),
  usdMicro: 450_123_456,
  estimated: false,
  implausible: false,
  trader: null,
  lpFee: null,
  feeYield: null,
}

const pool: SwapViewPool = {
  classification: { kind: 'canonical', stockIsToken0: false },
  decimals0: known(6),
  decimals1: known(18),
  fee: 3000,
}

test('a swap as its trader saw it: every field', () => {
  expect(toSwapView(swap, pool)).toEqual({
    txHash: hexOf(9, 32),
    logIndex: 3,
    block: 500,
    ts: 1_789_484_400,
    side: 'buy',
    stockAmount: 2,
    otherAmount: 450,
    priceInOther: 225,
    amountUsd: 450.123456,
    implausible: false,
    sender: addressOf(1),
    recipient: addressOf(2),
    fee: 3000,
    sqrtPriceX96: '123',
    tick: -7,
  })
})

describe('side and price (docs/api.md, swaps)', () => {
  test.each([
    ['the stock leaves the pool', 450n * e6, -2n * e18, 'buy', 225],
    ['the stock comes', -450n * e6, 2n * e18, 'sell', 225],
    ['so little that no stock moved, paid for', 1n, 0n, 'buy', null],
    ['so little that no stock moved, paid out', -1n, 0n, 'sell', null],
    ['stock for nothing', 0n, -2n * e18, 'buy', 0],
    ['nothing for stock', 0n, 2n * e18, 'sell', 0],
    ['nothing at all', 0n, 0n, 'buy', null],
  ] as const)('%s', (_, amount0, amount1, side, priceInOther) => {
    expect(toSwapView({ ...swap, amount0, amount1 }, pool)).toMatchObject({ side, priceInOther })
  })

  test('the stock as token0', () => {
    const mirrored = { ...swap, amount0: 4n * e18, amount1: -2n * e18 }
    const sides = { kind: 'meme', stockIsToken0: true } as const
    const view = toSwapView(mirrored, { ...pool, classification: sides, decimals0: known(18) })
    expect(view).toMatchObject({ side: 'sell', stockAmount: 4, otherAmount: 2, priceInOther: 0.5 })
  })
})

test('what is not known is null', () => {
  expect(toSwapView({ ...swap, usdMicro: null }, pool).amountUsd).toBeNull()
  const view = toSwapView(swap, { ...pool, decimals1: unknown('decimals-reverted') })
  expect(view).toMatchObject({ side: 'buy', stockAmount: null, otherAmount: 450 })
  expect(view.priceInOther).toBeNull()
})

test('a swap of nothing is worth null, not 0', () => {
  const empty = { ...swap, amount0: 0n, amount1: 0n, usdMicro: 0 }
  expect(toSwapView(empty, pool)).toMatchObject({ amountUsd: null, stockAmount: 0, otherAmount: 0 })
})

test('a v4 event has a fee and no recipient', () => {
  const v4 = { ...swap, fee: 2750, recipient: null }
  expect(toSwapView(v4, { ...pool, fee: 0x800000 })).toMatchObject({ fee: 2750, recipient: null })
})
