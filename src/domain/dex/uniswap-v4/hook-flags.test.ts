import { describe, expect, it } from 'vitest'
import { nativeAddress } from '../../units.ts'
import {
  canReturnDelta,
  decodeHookFlags,
  dynamicFee,
  type HookFlagName,
  isDynamicFee,
} from './hook-flags.ts'

/** In the order of the contract, highest bit first. */
const hookFlagNames = Object.keys(decodeHookFlags(nativeAddress)) as HookFlagName[]

const namesIn = (hooks: `0x${string}`): readonly HookFlagName[] => {
  const flags = decodeHookFlags(hooks)
  return hookFlagNames.filter((name) => flags[name])
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

describe('hasReturnsDelta', () => {
  it.each([
    ['0x0000000000000000000000000000000000003ff0', false],
    ['0x0000000000000000000000000000000000000088', true],
    ['0x0000000000000000000000000000000000000044', true],
    ['0x0000000000000000000000000000000000000402', true],
    ['0x0000000000000000000000000000000000000101', true],
  ] as const)('of %s is %s', (hooks, expected) => {
    expect(canReturnDelta(decodeHookFlags(hooks))).toBe(expected)
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
