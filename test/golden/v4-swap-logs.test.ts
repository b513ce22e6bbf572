import { describe, expect, it } from 'vitest'
import type { ChainLog } from '../../src/domain/chain/log.ts'
import { decodeLog } from '../../src/domain/dex/protocol.ts'
import { uniswapV4 } from '../../src/domain/dex/uniswap-v4/decode.ts'
import { amount0Delta, amount1Delta } from '../../src/domain/math/sqrt-price-math.ts'
import { tickAtSqrtPrice } from '../../src/domain/math/tick-math.ts'
import type { PoolEvent } from '../../src/domain/pool/pool-event.ts'
import { chainLog, readData } from './read-data.ts'

type Recorded = ChainLog & {
  decoded: {
    id: string
    sender: string
    amount0: string
    amount1: string
    sqrtPriceX96: string
    liquidity: string
    tick: number
    fee: number
  }
}

const recorded = readData<Recorded[]>('v4-swap-logs')

const swapOf = (log: Recorded): Extract<PoolEvent, { kind: 'swapped' }> => {
  const decoded = decodeLog(uniswapV4, chainLog(log))
  if (!decoded?.ok || decoded.event.kind !== 'swapped') throw new Error('no swap')
  return decoded.event
}

describe('ten recorded Swap logs of the PoolManager on chain 4663', () => {
  it.each(recorded.map((log) => [log.txHash, log] as const))('%s', (_, log) => {
    const { id, sender, amount0, amount1, sqrtPriceX96, liquidity, tick, fee } = log.decoded
    expect(swapOf(log)).toMatchObject({
      poolId: id,
      sender,
      recipient: null,
      amount0: -BigInt(amount0),
      amount1: -BigInt(amount1),
      sqrtPriceX96: BigInt(sqrtPriceX96),
      liquidity: BigInt(liquidity),
      tick,
      fee,
      at: { block: log.block, txHash: log.txHash },
    })
    expect(tickAtSqrtPrice(BigInt(sqrtPriceX96))).toBe(tick)
  })

  it('holds two neighbours in one pool: the price moved by just what was paid and received', () => {
    // pool 0x24e8f6d3…, no fee, one liquidity: √price 3525633…894 -> 3524047…666, token0 came in.
    const [after, before] = recorded.slice(3, 5).map(swapOf)
    if (after === undefined || before === undefined) throw new Error('no swaps')
    expect(after.poolId).toBe(before.poolId)
    expect(after.liquidity).toBe(before.liquidity)
    const span = {
      sqrtPriceAX96: before.sqrtPriceX96,
      sqrtPriceBX96: after.sqrtPriceX96,
      liquidity: after.liquidity,
    }
    expect(after.amount0).toBe(amount0Delta(span, 'up'))
    expect(after.amount1).toBe(-amount1Delta(span, 'down'))
  })
})
