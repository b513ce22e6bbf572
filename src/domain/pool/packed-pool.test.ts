import fc from 'fast-check'
import { expect, test } from 'vitest'
import { packState, unpackState } from './packed-pool.ts'
import { type PoolState, stateAtCreation } from './pool-state.ts'

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
