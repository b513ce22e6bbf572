import fc from 'fast-check'
import { expect, it, test } from 'vitest'
import { tickMax, tickMin } from '../math/tick-math.ts'
import type { Address, Hex } from '../units.ts'
import { createPoolPacking, packState, unpackState } from './packed-pool.ts'
import { type PoolIdentity, type PoolState, stateAtCreation } from './pool-state.ts'
import { applyLiquidityDelta, emptyTickMap } from './tick-map.ts'
import type { TrackedPool } from './tracked-pool.ts'

const reserveFaults = ['index_gap', 'hook_custom_accounting', 'reserve_short'] as const
const amount = fc.bigInt({ min: -(2n ** 255n), max: 2n ** 255n })
const orNull = <T>(value: fc.Arbitrary<T>) => fc.option(value, { freq: 3 })
const whole = fc.maxSafeInteger()

const state: fc.Arbitrary<PoolState> = fc.record({
  price: orNull(fc.record({ sqrtPriceX96: amount, tick: fc.integer() })),
  liquidity: amount,
  reserves: orNull(fc.record({ amount0: amount, amount1: amount })),
  depth: orNull(fc.record({ amount0: amount, amount1: amount })),
  mapFault: fc.constantFrom(null, ...reserveFaults),
  lastSwapTs: orNull(whole),
  lastSwapBlock: orNull(whole),
  lastSwapFee: orNull(whole),
})

test('packed and unpacked again a state is the same, to the last digit', () => {
  fc.assert(
    fc.property(state, (one) => {
      expect(unpackState(packState(one))).toEqual(one)
    }),
  )
})

test('states are the same text when they are the same, and only then', () => {
  fc.assert(
    fc.property(state, state, (a, b) => {
      expect(packState(structuredClone(a))).toBe(packState(a))
      const isSame =
        fc.stringify(unpackState(packState(a))) === fc.stringify(unpackState(packState(b)))
      expect(packState(a) === packState(b)).toBe(isSame)
    }),
  )
})

test('a new pool takes a few bytes', () => {
  expect(packState(stateAtCreation(null)).length).toBe(8)
})

const anyHex = (digits: number) =>
  fc
    .bigInt({ min: 0n, max: (1n << BigInt(digits * 4)) - 1n })
    .map((value): Hex => `0x${value.toString(16).padStart(digits, '0')}`)
const anyAddress = fc.oneof(anyHex(40), fc.constantFrom<Address>(`0x${'0'.repeat(40)}`))
const anyUint = (bits: bigint) => fc.bigInt({ min: 0n, max: (1n << bits) - 1n })
const anyTick = fc.integer({ min: tickMin, max: tickMax })

const anyIdentity: fc.Arbitrary<PoolIdentity> = fc.record({
  number: fc.nat(),
  id: fc.oneof(anyHex(40), anyHex(64)),
  version: fc.constantFrom('v3', 'v4'),
  venue: anyAddress,
  key: fc.record({
    token0: anyAddress,
    token1: anyAddress,
    fee: fc.nat(0xff_ff_ff),
    tickSpacing: fc.integer({ min: -(2 ** 23), max: 2 ** 23 }),
    hooks: fc.option(anyAddress),
  }),
  createdBlock: fc.maxSafeNat(),
  createdTs: fc.maxSafeNat(),
})

const anyState: fc.Arbitrary<PoolState> = fc.record({
  price: fc.option(fc.record({ sqrtPriceX96: anyUint(160n), tick: anyTick })),
  liquidity: anyUint(128n),
  reserves: fc.option(fc.record({ amount0: anyUint(256n), amount1: anyUint(256n) })),
  depth: fc.option(fc.record({ amount0: anyUint(256n), amount1: anyUint(256n) })),
  mapFault: fc.option(fc.constantFrom(...reserveFaults)),
  lastSwapTs: fc.option(fc.maxSafeNat()),
  lastSwapBlock: fc.option(fc.maxSafeNat()),
  lastSwapFee: fc.option(fc.nat(0xff_ff_ff)),
})

const anyMap = fc
  .array(fc.record({ tickLower: anyTick, tickUpper: anyTick, liquidityDelta: anyUint(128n) }))
  .map((changes) =>
    changes.reduce((map, change) => {
      const after = applyLiquidityDelta(map, change)
      return after.known ? after.value : map
    }, emptyTickMap),
  )

const anyPool: fc.Arbitrary<TrackedPool> = fc.record({
  identity: anyIdentity,
  state: anyState,
  tickMap: anyMap,
})

it('gives every pool back as it was, to the last unit', () => {
  const { pack, unpack } = createPoolPacking()
  fc.assert(
    fc.property(fc.array(anyPool), (pools) => {
      const packed = pools.map((pool) => ({ name: pool.identity, text: pack(pool) }))
      expect(packed.map(({ name, text }) => unpack(text, name))).toEqual(pools)
    }),
  )
})

it('refuses what another one packed', () => {
  const pool: TrackedPool = fc.sample(anyPool, 1)[0] as TrackedPool
  const packed = createPoolPacking().pack(pool)
  expect(() => createPoolPacking().unpack(packed, pool.identity)).toThrow('missing value 0')
})
