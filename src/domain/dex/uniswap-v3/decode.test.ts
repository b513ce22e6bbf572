import { toEventHash } from 'viem'
import { describe, expect, it } from 'vitest'
import { uniswapV3Fixture } from '../../../../test/support/domain/uniswap-v3-fixture.ts'
import type { ChainLog } from '../../chain/log.ts'
import { decodeLog } from '../protocol.ts'
import { uniswapV3 } from './decode.ts'

const { log: swapLog } = uniswapV3Fixture.swap
const v3BurnTopic = toEventHash('Burn(address,int24,int24,uint128,uint256,uint256)')
const word = (digits: string): `0x${string}` => `0x${digits.padStart(64, '0')}`

describe('uniswap v3', () => {
  it('decodes a burn of zero liquidity as a liquidity change of zero', () => {
    const tick = (value: number) => word(value.toString(16))
    const zeroBurn: ChainLog = {
      ...swapLog,
      topics: [v3BurnTopic, word('a'), tick(60), tick(120)],
      data: `0x${'0'.repeat(3 * 64)}`,
    }
    expect(decodeLog(uniswapV3, zeroBurn)).toMatchObject({
      ok: true,
      event: {
        kind: 'liquidity-changed',
        tickLower: 60,
        tickUpper: 120,
        liquidityDelta: 0n,
        owner: `0x${'a'.padStart(40, '0')}`,
        sender: null,
        salt: null,
        at: { txIndex: 21 },
      },
    })
  })

  it.each([
    'Collect(address,address,int24,int24,uint128,uint128)',
    'Flash(address,address,uint256,uint256,uint256,uint256)',
    'CollectProtocol(address,address,uint128,uint128)',
    'IncreaseObservationCardinalityNext(uint16,uint16)',
    'FeeAmountEnabled(uint24,int24)',
    'Transfer(address,address,uint256)',
    'Swap(bytes32,address,int128,int128,uint160,uint128,int24,uint24)',
  ])('leaves %s alone', (signature) => {
    expect(decodeLog(uniswapV3, { ...swapLog, topics: [toEventHash(signature)] })).toBe(null)
  })

  it('says what is wrong with a log that carries its topic', () => {
    const short: ChainLog = { ...swapLog, data: '0x' }
    expect(decodeLog(uniswapV3, short)).toEqual({
      ok: false,
      reason: 'Swap: not the shape of this event',
    })
    const dirty: ChainLog = {
      ...swapLog,
      topics: [swapLog.topics[0] as `0x${string}`, `0x${'f'.repeat(64)}`, word('a')],
    }
    expect(decodeLog(uniswapV3, dirty)).toEqual({
      ok: false,
      reason: 'Swap: sender is no value of its type',
    })
  })
})
