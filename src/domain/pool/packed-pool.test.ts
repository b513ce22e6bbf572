import fc from 'fast-check'
import { expect, test } from 'vitest'
import { packState, unpackState } from './packed-pool.ts'
import { type FeeOrigin, feesAtCreation } from './pool-fees.ts'
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
  fees: orNull(fc.record({ lpFee: whole, protocolFee: whole, block: whole })),
  settings: orNull(fc.record({ tickSpacing: whole, pluginConfig: whole, block: whole })),
})

const origin: FeeOrigin = { protocol: 'uniswap-v4', createdBlock: 7, key: { fee: 3000 } }
const packOwn = (own: PoolState) => packState(own, origin)

test('packed and unpacked again a state is the same, to the last digit', () => {
  fc.assert(
    fc.property(state, (one) => {
      expect(unpackState(packOwn(one), origin)).toEqual(one)
    }),
  )
})

test('states are the same text when they are the same, and only then', () => {
  fc.assert(
    fc.property(state, state, (a, b) => {
      expect(packOwn(structuredClone(a))).toBe(packOwn(a))
      const isSame =
        fc.stringify(unpackState(packOwn(a), origin)) ===
        fc.stringify(unpackState(packOwn(b), origin))
      expect(packOwn(a) === packOwn(b)).toBe(isSame)
    }),
  )
})

test('a new pool takes a few bytes', () => {
  expect(packOwn(stateAtCreation(null)).length).toBe(8)
})

test('fees as they were at creation take one byte, and all others come back', () => {
  const withFees = (fees: PoolState['fees']) =>
    packOwn(stateAtCreation(null, { fees, settings: null }))
  const created = feesAtCreation(origin)
  expect(created).toEqual({ lpFee: 3000, protocolFee: 0, block: 7 })
  expect(withFees(created).length).toBe(9)
  for (const fees of [created, { ...created, block: 8 }, { ...created, protocolFee: 1 }]) {
    const known = fees as PoolState['fees']
    expect(unpackState(withFees(known), origin).fees).toEqual(known)
  }
})
