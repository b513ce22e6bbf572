import { describe, expect, test } from 'vitest'
import {
  addressOf,
  identityOf,
  keyOf,
  noon,
  sampleContext,
  stateOf,
} from '../../../test/support/domain/sample-inputs.ts'
import type { PoolIdentity, PoolState } from '../pool/pool-state.ts'
import { known, unknown } from '../reading.ts'
import { nativeAddress } from '../units.ts'
import { hasCustomAccounting, resolveReserves } from './pool-reserves.ts'

type Pool = PoolIdentity & PoolState
type Input = Parameters<typeof resolveReserves>[0]

const poolOf = (state: Partial<PoolState> = {}, identity: Partial<PoolIdentity> = {}): Pool => ({
  ...identityOf(identity),
  ...stateOf(state),
})
const v4 = (hooks: `0x${string}`): Partial<PoolIdentity> => ({
  version: 'v4',
  protocol: 'uniswap-v4',
  key: keyOf({ hooks }),
})
/** Permission afterSwapReturnDelta is bit 2 (v4-core Hooks.sol). */
const deltaHook = v4(addressOf(0x44))
const feeHook = v4(addressOf(0x80))

const { policy } = sampleContext()
const input: Input = {
  pool: poolOf(),
  decimals0: known(18),
  decimals1: known(6),
  fallback: null,
  isRebasing: false,
  enrichedTs: noon - 5,
  policy,
  now: noon,
}
const balance = { source: 'balance', amount0: 7, amount1: 8, ts: noon - 500 } as const
const screener = { source: 'screener', amount0: 5, amount1: 6, ts: noon - 120 } as const
const none = { amount0: null, amount1: null, source: null, readTs: null }
const gap: Partial<PoolState> = { reserves: null, mapFault: 'index_gap' }

describe('reserves by the best source (methodology §4)', () => {
  const ticks = { amount0: 1000, amount1: 150_000, source: 'ticks', readTs: noon - 5 }
  const byBalance = { amount0: 7, amount1: 8, source: 'balance', readTs: noon - 500 }
  const byScreener = { amount0: 5, amount1: 6, source: 'screener', readTs: noon - 120 }
  const table: readonly [string, Partial<Input>, unknown][] = [
    ['the liquidity map', {}, ticks],
    ['before anything else', { fallback: balance }, ticks],
    ['unknown decimals leave a side out', { decimals1: unknown('x') }, { ...ticks, amount1: null }],
    [
      'an empty map',
      { pool: poolOf({ reserves: { amount0: 0n, amount1: 0n } }) },
      { ...ticks, amount0: 0, amount1: 0 },
    ],
    ['else the balances of a v3 pool', { pool: poolOf(gap), fallback: balance }, byBalance],
    ['those of a rebasing token', { isRebasing: true, fallback: balance }, byBalance],
    ['and nothing else of it', { isRebasing: true }, none],
    ['v4 has none of its own', { pool: poolOf(gap, v4(nativeAddress)), fallback: balance }, none],
    ['else a screener', { pool: poolOf(gap, v4(nativeAddress)), fallback: screener }, byScreener],
    ['while it is young', { pool: poolOf(gap), fallback: { ...screener, ts: noon - 121 } }, none],
    ['not from the future', { pool: poolOf(gap), fallback: { ...screener, ts: noon + 31 } }, none],
    ['else none are known', { pool: poolOf(gap) }, none],
    ['not initialised', { pool: poolOf({ price: null }), fallback: balance }, none],
    ['a hook that takes its share', { pool: poolOf({}, deltaHook) }, none],
    ['not even by a screener', { pool: poolOf({}, deltaHook), fallback: screener }, none],
    ['a hook that only sets the fee', { pool: poolOf({}, feeHook) }, ticks],
  ]
  test.each(table)('%s', (_, rest, reserves) => {
    expect(resolveReserves({ ...input, ...rest })).toEqual(reserves)
  })
})

test.each([
  ['v3', poolOf(), false],
  ['v4 without hooks', poolOf({}, v4(nativeAddress)), false],
  ['a hook that may change deltas', poolOf({}, deltaHook), true],
  ['a hook that may not', poolOf({}, feeHook), false],
  ['a hook that was seen to serve swaps', poolOf({ mapFault: 'hook_custom_accounting' }), true],
  ['a gap is something else', poolOf({ mapFault: 'index_gap' }), false],
])('custom accounting: %s', (_, pool, expected) => {
  expect(hasCustomAccounting(pool)).toBe(expected)
})
