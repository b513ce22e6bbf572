import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Address, type Hash, nativeAddress } from '../../units.ts'
import {
  dynamicFee,
  type HookFlagName,
  hookFlagsOf,
  hookMovesTokens,
  isDynamicFee,
  isUnreviewedHook,
} from './hook-flags.ts'

/** In the order of the contract, highest bit first. */
const hookFlagNames = Object.keys(hookFlagsOf({ hooks: nativeAddress }) ?? {}) as HookFlagName[]

const namesIn = (hooks: Address, parameters: Hash | null = null): readonly HookFlagName[] => {
  const flags = hookFlagsOf({ hooks, parameters })
  return hookFlagNames.filter((name) => flags?.[name])
}

describe('hookFlagsOf', () => {
  // bit  13 12 11 10 9 8 7 6 5 4 3 2 1 0   in the order of Hooks.Permissions
  it('names all fourteen bits, highest first', () => {
    expect(hookFlagNames).toEqual([
      'beforeInitialize',
      'afterInitialize',
      'beforeAddLiquidity',
      'afterAddLiquidity',
      'beforeRemoveLiquidity',
      'afterRemoveLiquidity',
      'beforeSwap',
      'afterSwap',
      'beforeDonate',
      'afterDonate',
      'beforeSwapReturnDelta',
      'afterSwapReturnDelta',
      'afterAddLiquidityReturnDelta',
      'afterRemoveLiquidityReturnDelta',
    ])
    hookFlagNames.forEach((name, index) => {
      const address = `0x${(1n << BigInt(13 - index)).toString(16).padStart(40, '0')}` as const
      expect(namesIn(address)).toEqual([name])
    })
  })

  it.each([
    ['no hook', nativeAddress, []],
    ['bits above the fourteenth', '0x000000000000000000000000000000000000c000', []],
    // The example in the comment of v4-core's Hooks.sol.
    [
      '0x…2400',
      '0x0000000000000000000000000000000000002400',
      ['beforeInitialize', 'afterAddLiquidity'],
    ],
    // Hooks of real pools: one of the first on Ethereum, and Doppler's on chain 4663.
    [
      '0x…1888',
      '0x00001f3b9712708127b1fcad61cb892535951888',
      ['afterInitialize', 'beforeAddLiquidity', 'beforeSwap', 'beforeSwapReturnDelta'],
    ],
    [
      '0x…A544',
      '0x4e3468951D49f2EEa976eD0D6e75fFCb44a9a544',
      [
        'beforeInitialize',
        'afterAddLiquidity',
        'afterRemoveLiquidity',
        'afterSwap',
        'afterSwapReturnDelta',
      ],
    ],
  ] as const)('of %s', (_, hooks, names) => {
    expect(namesIn(hooks)).toEqual(names)
  })
})

describe('the permissions in parameters of PancakeSwap Infinity', () => {
  const hooks: Address = '0x4e3468951D49f2EEa976eD0D6e75fFCb44a9a544'
  const withBits = (bits: number): Hash =>
    `0x${(0x000a_0000 + bits).toString(16).padStart(64, '0')}`

  // infinity-core, ICLHooks.sol: HOOKS_BEFORE_INITIALIZE_OFFSET is 0, and so on in this order.
  it.each(hookFlagNames.map((name, bit) => [name, bit] as const))('%s is bit %i', (name, bit) => {
    expect(namesIn(hooks, withBits(1 << bit))).toEqual([name])
  })

  it('are all that counts: the address says nothing', () => {
    expect(namesIn(hooks, withBits(0))).toEqual([])
    const key = { hooks, fee: 3000 }
    expect(isUnreviewedHook({ ...key, parameters: withBits(0) }, new Set())).toBe(false)
    expect(isUnreviewedHook({ ...key, parameters: withBits(1 << 6) }, new Set())).toBe(true)
    expect(isUnreviewedHook({ ...key, parameters: withBits(1 << 6) }, new Set([hooks]))).toBe(false)
    expect(hookMovesTokens({ hooks, parameters: withBits(1 << 11) })).toBe(true)
    expect(hookMovesTokens({ hooks, parameters: withBits(1 << 7) })).toBe(false)
  })

  it('are null in v3', () => {
    expect(hookFlagsOf({ hooks: null })).toBe(null)
  })
})

describe('hasReturnsDelta', () => {
  it.each([
    ['0x0000000000000000000000000000000000003ff0', false],
    ['0x0000000000000000000000000000000000000088', true],
    ['0x0000000000000000000000000000000000000044', true],
    ['0x0000000000000000000000000000000000000402', true],
    ['0x0000000000000000000000000000000000000101', true],
  ] as const)('of %s is %s', (hooks, expected) => {
    expect(hookMovesTokens({ hooks })).toBe(expected)
  })
})

describe('isDynamicFee', () => {
  it.each([
    [dynamicFee, true],
    [8_388_608, true],
    [8_388_609, false],
    [1_000_000, false],
    [0, false],
  ])('%i: %s', (fee, expected) => {
    expect(isDynamicFee(fee)).toBe(expected)
  })
})

const hookWith = (...bits: readonly number[]): Address =>
  `0x${bits
    .reduce((sum, bit) => sum | (1n << BigInt(bit)), 0xbeef_0000n)
    .toString(16)
    .padStart(40, '0')}`

/** beforeSwap, afterSwap and their delta bits. */
const swapBits: readonly number[] = [7, 6, 3, 2]
const otherBits = Array.from({ length: 14 }, (_, bit) => bit).filter(
  (bit) => !swapBits.includes(bit),
)
const none = new Set<Address>()

describe('isUnreviewedHook', () => {
  it.each(swapBits)('bit %i acts on swaps', (bit) => {
    const hooks = hookWith(bit)
    expect(isUnreviewedHook({ hooks, fee: 3000 }, none)).toBe(true)
    expect(isUnreviewedHook({ hooks, fee: 3000 }, new Set([hookWith()]))).toBe(true)
    expect(isUnreviewedHook({ hooks, fee: 3000 }, new Set([hooks]))).toBe(false)
    expect(isUnreviewedHook({ hooks, fee: 3000 }, new Map([[hooks, 'read']]))).toBe(false)
  })

  it.each(otherBits)('bit %i does not', (bit) => {
    expect(isUnreviewedHook({ hooks: hookWith(bit), fee: 3000 }, none)).toBe(false)
  })

  it('any set of bits: one that acts on swaps is enough', () => {
    fc.assert(
      fc.property(fc.subarray([...swapBits, ...otherBits]), (bits) => {
        const expected = bits.some((bit) => swapBits.includes(bit))
        expect(isUnreviewedHook({ hooks: hookWith(...bits), fee: 500 }, none)).toBe(expected)
      }),
    )
  })

  it('a dynamic fee is set by the hook, whatever its bits', () => {
    const hooks = hookWith()
    expect(isUnreviewedHook({ hooks, fee: dynamicFee }, none)).toBe(true)
    expect(isUnreviewedHook({ hooks, fee: dynamicFee }, new Set([hooks]))).toBe(false)
  })

  it('a pool without a hook has none to review', () => {
    expect(isUnreviewedHook({ hooks: nativeAddress, fee: 3000 }, none)).toBe(false)
    expect(isUnreviewedHook({ hooks: null, fee: 3000 }, none)).toBe(false)
  })
})
