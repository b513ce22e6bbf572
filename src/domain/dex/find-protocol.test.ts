import { encodeAbiParameters, type Hex, toFunctionSelector } from 'viem'
import { describe, expect, it } from 'vitest'
import type { Address } from '../units.ts'
import { getProtocol } from './find-protocol.ts'

const pool: Address = `0x${'a'.repeat(40)}`
const poolId = `0x${'b'.repeat(64)}` as const
const stateView: Address = `0x${'c'.repeat(40)}`
const sqrtPriceX96 = 76_741_821_765_927_833_552_276_453n

const encode = (types: readonly string[], values: readonly unknown[]): Hex =>
  encodeAbiParameters(
    types.map((type) => ({ type })),
    values,
  )

const answers = {
  v3: encode(
    ['uint160', 'int24', 'uint16', 'uint16', 'uint16', 'uint8', 'bool'],
    [sqrtPriceX96, -138_800, 3, 4, 5, 6, true],
  ),
  v4: encode(['uint160', 'int24', 'uint24', 'uint24'], [sqrtPriceX96, -138_800, 7, 3000]),
}
const liquidity = encode(['uint128'], [2n ** 128n - 1n])

describe('stateCalls', () => {
  it('calls a v3 pool itself', () => {
    expect(getProtocol('uniswap-v3').stateCalls(pool, null)).toEqual([
      { to: pool, data: toFunctionSelector('slot0()') },
      { to: pool, data: toFunctionSelector('liquidity()') },
    ])
  })

  it('calls the StateView for a v4 pool, if there is one', () => {
    const argument = poolId.slice(2)
    expect(getProtocol('uniswap-v4').stateCalls(poolId, stateView)).toEqual([
      { to: stateView, data: `${toFunctionSelector('getSlot0(bytes32)')}${argument}` },
      { to: stateView, data: `${toFunctionSelector('getLiquidity(bytes32)')}${argument}` },
    ])
    expect(getProtocol('uniswap-v4').stateCalls(poolId, null)).toBe(null)
  })
})

describe('decodeState', () => {
  it.each(['v3', 'v4'] as const)(
    'reads price, tick, liquidity and fees of %s answers',
    (version) => {
      expect(
        getProtocol(`uniswap-${version}`).decodeState({ slot0: answers[version], liquidity }),
      ).toEqual({
        sqrtPriceX96,
        tick: -138_800,
        liquidity: 2n ** 128n - 1n,
        // The fee of the key is no part of a v3 slot0.
        fees: version === 'v3' ? { lpFee: 0, protocolFee: 6 } : { lpFee: 3000, protocolFee: 7 },
      })
    },
  )

  it.each([
    ['of the other version', answers.v4, liquidity],
    ['cut short', answers.v3.slice(0, -2) as Hex, liquidity],
    ['without a contract', '0x', '0x'],
    ['of a price that fits into no pool', `0x${'f'.repeat(64)}${answers.v3.slice(66)}`, liquidity],
    ['of more liquidity than fits into one', answers.v3, encode(['uint256'], [2n ** 128n])],
    ['of two words of liquidity', answers.v3, `${liquidity}${liquidity.slice(2)}`],
  ] as const)('returns null for answers %s', (_, slot0, ofLiquidity) => {
    expect(getProtocol('uniswap-v3').decodeState({ slot0, liquidity: ofLiquidity as Hex })).toBe(
      null,
    )
  })

  it('returns null for a v4 answer whose fee is no fee', () => {
    const slot0 = encode(['uint160', 'int24', 'uint24', 'uint256'], [sqrtPriceX96, 0, 7, 2n ** 24n])
    expect(getProtocol('uniswap-v4').decodeState({ slot0, liquidity })).toBe(null)
  })
})
