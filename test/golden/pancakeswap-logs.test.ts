import { expect, it } from 'vitest'
import type { ChainLog } from '../../src/domain/chain/log.ts'
import { pancakeswapV3 } from '../../src/domain/dex/pancakeswap-v3/decode.ts'
import { decodeLog } from '../../src/domain/dex/protocol.ts'
import { uniswapV3 } from '../../src/domain/dex/uniswap-v3/decode.ts'
import { tickAtSqrtPrice } from '../../src/domain/math/tick-math.ts'
import { chainLog, readData } from './read-data.ts'

type Named = ChainLog & { readonly name: string }

const logs = readData<Named[]>('fork-logs')

const logOf = (event: string): ChainLog => {
  const found = logs.find(({ name }) => name === `PancakeSwap v3 ${event}`)
  if (found === undefined) throw new Error(`no recorded ${event}`)
  return chainLog(found)
}

const pool = '0xab058332a7279f1e64162be08f59ac0cd9601759'

it.each([
  [
    'PoolCreated',
    {
      kind: 'created',
      protocol: 'pancakeswap-v3',
      poolId: pool,
      venue: '0x0bfbcf9fa4f9c56b0f40a671ad40e0805a091865',
      key: { fee: 10_000, tickSpacing: 200, hooks: null },
    },
  ],
  ['Mint', { kind: 'liquidity-changed', poolId: pool, tickLower: 39_200, tickUpper: 43_400 }],
  ['Burn', { kind: 'liquidity-changed', poolId: pool, tickLower: 40_400, tickUpper: 45_200 }],
  ['Swap', { kind: 'swapped', poolId: pool, tick: 37_787, fee: null }],
])('a recorded %s of PancakeSwap v3 decodes', (event, expected) => {
  expect(decodeLog(pancakeswapV3, logOf(event))).toMatchObject({ ok: true, event: expected })
})

const ofOtherFile = (): ChainLog => {
  const found = readData<Named[]>('foreign-logs').find(({ name }) => name === 'pancakeswap v3 Swap')
  if (found === undefined) throw new Error('no recorded swap')
  return chainLog(found)
}

it.each([
  ['one', logOf('Swap')],
  ['another', ofOtherFile()],
])('the price of %s recorded swap is at its tick', (_, log) => {
  const decoded = decodeLog(pancakeswapV3, log)
  if (!decoded?.ok || decoded.event.kind !== 'swapped') throw new Error('no swap')
  expect(tickAtSqrtPrice(decoded.event.sqrtPriceX96)).toBe(decoded.event.tick)
})

it('neither protocol reads the swap of the other', () => {
  expect(decodeLog(uniswapV3, logOf('Swap'))).toBe(null)
  expect(decodeLog(pancakeswapV3, logOf('Collect'))).toBe(null)
})
