import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { tickMax, tickMin } from '../math/tick-math.ts'
import type { Address, Hex } from '../units.ts'
import { createIdentityPacking } from './packed-identity.ts'
import { createPackedPools } from './packed-pools.ts'
import type { PoolIdentity, PoolState } from './pool-state.ts'
import { applyLiquidityDelta, emptyTickMap } from './tick-map.ts'
import { createTrackedPool, type TrackedPool } from './tracked-pool.ts'

const reserveFaults = ['index_gap', 'hook_custom_accounting', 'reserve_short'] as const
const anyHex = (digits: number) =>
  fc
    .bigInt({ min: 0n, max: (1n << BigInt(digits * 4)) - 1n })
    .map((value): Hex => `0x${value.toString(16).padStart(digits, '0')}`)
const anyAddress = fc.oneof(anyHex(40), fc.constantFrom<Address>(`0x${'0'.repeat(40)}`))
const anyUint = (bits: bigint) => fc.bigInt({ min: 0n, max: (1n << bits) - 1n })
const anyTick = fc.integer({ min: tickMin, max: tickMax })

const anyIdentity: fc.Arbitrary<PoolIdentity> = fc
  .record({
    number: fc.nat(100_000),
    id: fc.oneof(anyHex(40), anyHex(64)),
    version: fc.constantFrom<'v3' | 'v4'>('v3', 'v4'),
    venue: anyAddress,
    key: fc.record(
      {
        token0: anyAddress,
        token1: anyAddress,
        fee: fc.nat(0xff_ff_ff),
        tickSpacing: fc.integer({ min: -(2 ** 23), max: 2 ** 23 }),
        hooks: fc.option(anyAddress),
        deployer: anyAddress,
      },
      { requiredKeys: ['token0', 'token1', 'fee', 'tickSpacing', 'hooks'] },
    ),
    createdBlock: fc.maxSafeNat(),
    createdTs: fc.maxSafeNat(),
  })
  .map((identity) => ({ ...identity, protocol: `uniswap-${identity.version}` }))

/** Keys of PancakeSwap Infinity have parameters as well. */
const anyKeyedIdentity: fc.Arbitrary<PoolIdentity> = fc
  .tuple(anyIdentity, fc.option(anyHex(64)))
  .map(([identity, parameters]) =>
    parameters === null
      ? identity
      : {
          ...identity,
          version: 'v4',
          protocol: 'pancakeswap-infinity-cl',
          key: { ...identity.key, parameters },
        },
  )

const anyPrice = fc.option(fc.record({ sqrtPriceX96: anyUint(160n), tick: anyTick }))

const anyState: fc.Arbitrary<PoolState> = fc.record({
  price: anyPrice,
  liquidity: anyUint(128n),
  reserves: fc.option(fc.record({ amount0: anyUint(256n), amount1: anyUint(256n) })),
  depth: fc.option(fc.record({ amount0: anyUint(256n), amount1: anyUint(256n) })),
  mapFault: fc.option(fc.constantFrom(...reserveFaults)),
  lastSwapTs: fc.option(fc.maxSafeNat()),
  lastSwapBlock: fc.option(fc.maxSafeNat()),
  lastSwapFee: fc.option(fc.nat(0xff_ff_ff)),
  fees: fc.option(
    fc.record({
      lpFee: fc.nat(0xff_ff_ff),
      protocolFee: fc.nat(0xff_ff_ff),
      block: fc.maxSafeNat(),
    }),
  ),
  settings: fc.option(
    fc.record({
      tickSpacing: fc.nat(500),
      pluginConfig: fc.nat(255),
      block: fc.maxSafeNat(),
    }),
  ),
})

const anyMap = fc
  .array(fc.record({ tickLower: anyTick, tickUpper: anyTick, liquidityDelta: anyUint(128n) }))
  .map((changes) =>
    changes.reduce((map, change) => {
      const after = applyLiquidityDelta(map, change)
      return after.known ? after.value : map
    }, emptyTickMap),
  )

const anyPool: fc.Arbitrary<TrackedPool> = fc.oneof(
  fc.record({ identity: anyKeyedIdentity, state: anyState, tickMap: anyMap }),
  fc
    .tuple(anyKeyedIdentity, anyPrice)
    .map(([identity, price]) => createTrackedPool(identity, price)),
)

/** Each pool has its own number and id. */
const anyPools = fc
  .uniqueArray(anyPool, {
    selector: ({ identity }) => identity.number,
  })
  .filter((pools) => new Set(pools.map(({ identity }) => identity.id)).size === pools.length)

const idAt = (number: number, digits = 40): Hex => `0x${number.toString(16).padStart(digits, '0')}`

const identityAt = (number: number, id = idAt(number)): PoolIdentity => ({
  number,
  id,
  version: 'v3',
  protocol: 'uniswap-v3',
  venue: idAt(0xf0),
  key: { token0: idAt(1), token1: idAt(2), fee: 500, tickSpacing: 10, hooks: null },
  createdBlock: 1,
  createdTs: 1,
})

it('gives every pool back as it was, to the last unit', () => {
  fc.assert(
    fc.property(anyPools, (pools) => {
      const packed = createPackedPools(Math.random)
      for (const pool of pools) packed.put(pool)
      for (const pool of pools) {
        const { number, id } = pool.identity
        expect(packed.byNumber(number)).toEqual(pool)
        expect(packed.numberOf(id)).toBe(number)
      }
    }),
  )
})

it('gives the latest state of a pool, also as it was created', () => {
  fc.assert(
    fc.property(anyKeyedIdentity, fc.array(fc.oneof(anyState, anyPrice)), (identity, changes) => {
      const packed = createPackedPools(Math.random)
      for (const change of changes) {
        const created = createTrackedPool(identity, null)
        const isState = change !== null && 'liquidity' in change
        const pool = isState ? { ...created, state: change } : createTrackedPool(identity, change)
        packed.put(pool)
        expect(packed.byNumber(identity.number)).toEqual(pool)
        expect([...packed.numbers()]).toEqual([identity.number])
      }
    }),
  )
})

describe.each([
  ['by chance', Math.random],
  ['into one slot', () => 0.5],
])('ids scattered %s', (_, random) => {
  it('are found, and others are not', () => {
    const packed = createPackedPools(random)
    const numbers = Array.from({ length: 500 }, (_, index) => index + 1)
    for (const number of numbers) packed.put(createTrackedPool(identityAt(number), null))
    expect(numbers.map((number) => packed.numberOf(idAt(number)))).toEqual(numbers)
    expect(numbers.map((number) => packed.byNumber(number)?.identity.id)).toEqual(
      numbers.map((number) => idAt(number)),
    )
    const others = numbers.map((number) => idAt(number + 500))
    expect(others.map(packed.numberOf)).toEqual(others.map(() => undefined))
    expect(packed.byNumber(501)).toBeUndefined()
  })

  it('differ by every byte and by their length', () => {
    const packed = createPackedPools(random)
    const ids: readonly Hex[] = [idAt(7), idAt(7, 64), `0x1${'0'.repeat(38)}7`, '0x07', '0x7']
    for (const [index, id] of ids.entries()) {
      expect(packed.numberOf(id)).toBeUndefined()
      packed.put(createTrackedPool(identityAt(index + 1, id), null))
    }
    expect(ids.map(packed.numberOf)).toEqual([1, 2, 3, 4, 5])
    expect([1, 2, 3, 4, 5].map((number) => packed.byNumber(number)?.identity.id)).toEqual(ids)
  })
})

it('refuses what another one packed', () => {
  const packing = createIdentityPacking()
  const pool = { identity: identityAt(1), initial: null }
  packing.pack(pool)
  const again = packing.pack(pool).slice()
  expect(packing.unpack(again, 0, 1)).toEqual(pool)
  expect(() => createIdentityPacking().unpack(again, 0, 1)).toThrow('missing value 0')
})
