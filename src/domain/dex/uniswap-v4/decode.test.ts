import { toEventHash } from 'viem'
import { describe, expect, it } from 'vitest'
import { uniswapV4Fixture } from '../../../../test/support/domain/uniswap-v4-fixture.ts'
import type { ChainLog } from '../../chain/log.ts'
import { decodeLog } from '../protocol.ts'
import { uniswapV4, v4ModifyLiquidityTopic } from './decode.ts'

const { log: swapLog, event: swapEvent } = uniswapV4Fixture.swap

describe('uniswap v4', () => {
  it('turns the signs: what the swapper receives has left the pool', () => {
    // In the log amount0 is +177326663821782340, the swapper's.
    expect(swapEvent).toMatchObject({ amount0: -177_326_663_821_782_340n })
    expect(decodeLog(uniswapV4, swapLog)).toEqual({ ok: true, event: swapEvent })
  })

  it('decodes a liquidity change of zero as such, and zero amounts as zero', () => {
    const zeroChange: ChainLog = {
      ...swapLog,
      topics: [v4ModifyLiquidityTopic, ...swapLog.topics.slice(1)],
      data: `0x${'0'.repeat(4 * 64)}`,
    }
    expect(decodeLog(uniswapV4, zeroChange)).toMatchObject({
      ok: true,
      event: {
        kind: 'liquidity-changed',
        liquidityDelta: 0n,
        owner: null,
        sender: '0x6a29521012ea53ad24c77e9e1a933d35ae503855',
        salt: `0x${'0'.repeat(64)}`,
      },
    })
    const nothing: ChainLog = { ...swapLog, data: `0x${'0'.repeat(6 * 64)}` }
    expect(decodeLog(uniswapV4, nothing)).toMatchObject({
      ok: true,
      event: { kind: 'swapped', amount0: 0n, amount1: 0n },
    })
  })

  it.each([
    'Donate(bytes32,address,uint256,uint256)',
    'ProtocolFeeControllerUpdated(address)',
    'Transfer(address,address,address,uint256,uint256)',
    'Swap(address,address,int256,int256,uint160,uint128,int24)',
  ])('leaves %s alone', (signature) => {
    expect(decodeLog(uniswapV4, { ...swapLog, topics: [toEventHash(signature)] })).toBe(null)
  })
})
