import { describe, expect, it } from 'vitest'
import type { ChainLog } from '../../src/domain/chain/log.ts'
import { algebraIntegral } from '../../src/domain/dex/algebra-integral/decode.ts'
import { decodeLog } from '../../src/domain/dex/protocol.ts'
import { uniswapV3 } from '../../src/domain/dex/uniswap-v3/decode.ts'
import { tickAtSqrtPrice } from '../../src/domain/math/tick-math.ts'
import { chainLog, readData } from './read-data.ts'

const logs = readData<(ChainLog & { readonly name: string })[]>('fork-logs')

const logOf = (event: string): ChainLog => {
  const found = logs.find(({ name }) => name === `Algebra ${event}`)
  if (found === undefined) throw new Error(`no recorded ${event}`)
  return chainLog(found)
}

/** The amounts are those of the `Transfer` logs in the same transactions. */
describe('recorded logs of Algebra Integral decode', () => {
  it.each([
    [
      'Swap',
      {
        kind: 'swapped',
        poolId: '0xb780bd13876dd8219d06ad88f88d6c72c35b902f',
        amount0: 10_000n,
        amount1: -9_988n,
        tick: -10,
        recipient: '0x9ba704115f0ed3a431a025ffa0525fdd1d507c3c',
        announced: { overrideFee: 108, pluginFee: 0 },
      },
    ],
    [
      'Mint',
      {
        kind: 'liquidity-changed',
        poolId: '0x5d0bc342178c8fe2c2f9a9fcc9d52555c99936db',
        tickLower: -7,
        tickUpper: 4,
        liquidityDelta: 3_633_240_169_287n,
      },
    ],
    [
      'Burn',
      {
        kind: 'liquidity-changed',
        poolId: '0x603f3fd0247e5a444a561d7da081c3b00fcf7de9',
        tickLower: 45_611,
        tickUpper: 58_499,
        liquidityDelta: -1_524_075_747_252_755_033n,
      },
    ],
    [
      '1.2.9 SwapFee',
      {
        kind: 'swap-fees-announced',
        poolId: '0x3c1403335d0ca7d0a73c9e775b25514537c2b809',
        overrideFee: 1_929,
        pluginFee: 0,
      },
    ],
    [
      '1.2.9 Swap',
      {
        kind: 'swapped',
        poolId: '0x3c1403335d0ca7d0a73c9e775b25514537c2b809',
        amount0: -893_639_161_085_782_075n,
        amount1: 44_424_060n,
        tick: -237_279,
      },
    ],
  ])('%s', (event, expected) => {
    expect(decodeLog(algebraIntegral, logOf(event))).toMatchObject({ ok: true, event: expected })
  })
})

it.each(['Swap', '1.2.9 Swap'])('the price of a recorded %s is at its tick', (event) => {
  const decoded = decodeLog(algebraIntegral, logOf(event))
  if (!decoded?.ok || decoded.event.kind !== 'swapped') throw new Error('no swap')
  expect(tickAtSqrtPrice(decoded.event.sqrtPriceX96)).toBe(decoded.event.tick)
})

it('only the swaps from 1.2.9 on have the shape of Uniswap v3', () => {
  expect(decodeLog(uniswapV3, logOf('Swap'))).toBe(null)
  expect(decodeLog(uniswapV3, logOf('1.2.9 Swap'))).toMatchObject({ ok: true })
})
