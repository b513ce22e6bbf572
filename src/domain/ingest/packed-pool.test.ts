import fc from 'fast-check'
import { expect, it } from 'vitest'
import { tickMax, tickMin } from '../math/tick-math.ts'
import { applyToLiquidityMap, emptyLiquidityMap } from '../pool/liquidity-map.ts'
import type { PoolIdentity, PoolState } from '../pool/pool-state.ts'
import type { Address, Hex } from '../units.ts'
import { createPoolPacking } from './packed-pool.ts'
import type { TrackedPool } from './tracked-pool.ts'

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
  mapFault: fc.option(fc.constantFrom('index_gap', 'hook_custom_accounting')),
  lastSwapTs: fc.option(fc.maxSafeNat()),
  lastSwapBlock: fc.option(fc.maxSafeNat()),
  lastSwapFee: fc.option(fc.nat(0xff_ff_ff)),
})

const anyMap = fc
  .array(fc.record({ tickLower: anyTick, tickUpper: anyTick, liquidityDelta: anyUint(128n) }))
  .map((changes) =>
    changes.reduce((map, change) => {
      const after = applyToLiquidityMap(map, change)
      return after.known ? after.value : map
    }, emptyLiquidityMap),
  )

const anyPool: fc.Arbitrary<TrackedPool> = fc.record({
  identity: anyIdentity,
  state: anyState,
  map: anyMap,
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
  expect(() => createPoolPacking().unpack(packed, pool.identity)).toThrow('names value 0 of a list')
})
