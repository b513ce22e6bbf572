import { expect, test } from 'vitest'
import { keyOf } from '../../../test/support/domain/sample-inputs.ts'
import { dynamicFee } from '../dex/uniswap-v4/hook-flags.ts'
import { swapFeeOf } from './swap-fee.ts'

const v4 = (lpFee: number, down: number, up: number) =>
  ({
    protocol: 'uniswap-v4',
    key: keyOf({ fee: dynamicFee }),
    fees: { lpFee, protocolFee: (up << 12) | down },
  }) as const

test('a v3 swap pays the fee of the key', () => {
  const pool = { protocol: 'uniswap-v3', key: keyOf({ fee: 500 }), fees: null } as const
  expect([swapFeeOf(pool, true), swapFeeOf(pool, false)]).toEqual([500, 500])
})

test('a v4 swap pays what was read, which may be unknown', () => {
  expect(swapFeeOf({ ...v4(0, 0, 0), fees: null }, true)).toBeNull()
  expect(swapFeeOf(v4(3000, 0, 0), true)).toBe(3000)
  expect(swapFeeOf(v4(0, 0, 0), false)).toBe(0)
})

test.each([
  // ProtocolFeeLibrary.t.sol of v4-core: MAX_PROTOCOL_FEE is 1,000.
  [3000, 1000, 3997],
  [3000, 999, 3997],
  [1_000_000, 1000, 1_000_000],
  [0, 1000, 1000],
  [1, 1, 2],
])('an LP fee of %i and a protocol fee of %i add up to %i', (lpFee, protocolFee, sum) => {
  expect(swapFeeOf(v4(lpFee, protocolFee, 0), true)).toBe(sum)
  expect(swapFeeOf(v4(lpFee, protocolFee, 0), false)).toBe(lpFee)
  expect(swapFeeOf(v4(lpFee, 0, protocolFee), false)).toBe(sum)
  expect(swapFeeOf(v4(lpFee, 0, protocolFee), true)).toBe(lpFee)
})
