import { describe, expect, it } from 'vitest'
import { dynamicFee } from '../dex/uniswap-v4/hook-flags.ts'
import { type Address, nativeAddress } from '../units.ts'
import { currentFee, isPluginInSwaps, isUnreviewed, settingsAfter } from './pool-settings.ts'

const nothing = { fees: null, settings: null, lastSwapFee: null } as const
const fees = { lpFee: 700, protocolFee: 0, block: 1 }
const noKey = { tickSpacing: 0, hooks: null } as const
const noReviews = new Set<Address>()

describe('currentFee', () => {
  it.each([
    ['the key of a v3 pool', 3000, null, nothing, 3000],
    // The event's fee has the protocol's share in it.
    ['the key of a v4 pool', 3000, nativeAddress, { ...nothing, fees, lastSwapFee: 3999 }, 3000],
    ['a dynamic fee: the last swap', dynamicFee, nativeAddress, { ...nothing, lastSwapFee: 9 }, 9],
    ['a dynamic fee before the first swap', dynamicFee, nativeAddress, { ...nothing, fees }, null],
    ['of a v3-like pool, that last read or set', dynamicFee, null, { ...nothing, fees }, 700],
    ['of a v3-like pool with a fee in its key', 3000, null, { ...nothing, fees }, 700],
    ['of a v3-like pool before the first read', dynamicFee, null, nothing, null],
  ] as const)('%s', (_, fee, hooks, state, expected) => {
    const key = { token0: '0x01', token1: '0x02', fee, tickSpacing: 1, hooks } as const
    expect(currentFee({ key, ...state })).toBe(expected)
  })

  // Plugins.sol: before and after a swap, positions, flash loans, initialization, dynamic fee.
  it.each([
    [0b0000_0001, true, null],
    [0b0000_0010, true, 700],
    [0b0111_1100, false, 700],
    [0b1000_0000, true, null],
  ])('a plugin with the bits %i is unreviewed: %s, and the fee %s', (bits, isUnknown, fee) => {
    const settings = { tickSpacing: 60, pluginConfig: bits, block: 1 }
    const key = { token0: '0x01', token1: '0x02', fee: dynamicFee, ...noKey } as const
    const pool = { key, fees, settings, lastSwapFee: null }
    expect(isUnreviewed(pool, noReviews)).toBe(isUnknown)
    expect(currentFee(pool)).toBe(fee)
    expect(isPluginInSwaps(settings)).toBe((bits & 3) !== 0)
  })
})

describe('settingsAfter', () => {
  const known = { tickSpacing: 60, pluginConfig: 1, block: 3 }
  it('changes one and keeps the other, with the block', () => {
    const kind = 'setting-set'
    expect(settingsAfter(known, { kind, tickSpacing: 5 }, 9)).toEqual({
      ...{ tickSpacing: 5, pluginConfig: 1, block: 9 },
    })
    expect(settingsAfter(known, { kind, pluginConfig: 0 }, 9)).toEqual({
      ...{ tickSpacing: 60, pluginConfig: 0, block: 9 },
    })
    expect(settingsAfter(null, { kind, pluginConfig: 0 }, 9)).toBe(null)
  })
})
