import { describe, expect, it } from 'vitest'
import { sampleHash } from '../../../test/support/domain/sample-chain.ts'
import type { PoolEvent } from '../pool/pool-event.ts'
import { eventDigest, eventLine } from './event-digest.ts'

const at = {
  block: 7,
  blockHash: sampleHash(7),
  ts: 1_800_000_000,
  txHash: sampleHash(9),
  txIndex: 2,
  logIndex: 3,
}
const poolId = '0xaa'
const hash = (text: string) => `0x${Buffer.from(text).toString('hex')}` as const

const swap: PoolEvent = {
  kind: 'swapped',
  poolId,
  at,
  amount0: -5n,
  amount1: 7n,
  sqrtPriceX96: 2n ** 96n,
  liquidity: 11n,
  tick: -1,
  fee: null,
  sender: '0x01',
  recipient: '0x02',
}

describe('a line', () => {
  const start = `7|${sampleHash(7)}|${sampleHash(9)}|3`
  it.each<readonly [PoolEvent, string]>([
    [swap, `${start}|swapped|0xaa,-5,7,79228162514264337593543950336,11,-1,,0x01,0x02`],
    [
      {
        kind: 'liquidity-changed',
        poolId,
        at,
        tickLower: -60,
        tickUpper: 60,
        liquidityDelta: -9n,
        owner: '0x01',
        sender: null,
        salt: null,
      },
      `${start}|liquidity-changed|0xaa,-60,60,-9`,
    ],
    [
      { kind: 'initialized', poolId, at, sqrtPriceX96: 5n, tick: 2 },
      `${start}|initialized|0xaa,5,2`,
    ],
    [{ kind: 'protocol-fee-set', poolId, at, protocolFee: 7 }, `${start}|protocol-fee-set|0xaa,7`],
    [{ kind: 'lp-fee-set', poolId, at, lpFee: 500 }, `${start}|lp-fee-set|0xaa,500`],
    [
      {
        kind: 'created',
        poolId,
        at,
        protocol: 'uniswap-v4',
        venue: '0xee',
        key: { token0: '0x10', token1: '0x20', fee: 500, tickSpacing: 10, hooks: '0x00' },
        initial: null,
      },
      `7|${sampleHash(7)}|||created|0xaa,uniswap-v4,0xee,0x10,0x20,500,10,0x00`,
    ],
  ])('%#', (event, line) => {
    expect(eventLine(event)).toBe(line)
  })

  it('differs for every changed field of a swap but those that follow from its block', () => {
    const others: readonly PoolEvent[] = [
      { ...swap, amount0: -6n },
      { ...swap, liquidity: 12n },
      { ...swap, recipient: null },
      { ...swap, at: { ...at, blockHash: sampleHash(7, 1) } },
      { ...swap, at: { ...at, txHash: sampleHash(10) } },
      { ...swap, at: { ...at, logIndex: 4 } },
    ]
    expect(new Set([swap, ...others].map(eventLine)).size).toBe(7)
    expect(eventLine({ ...swap, at: { ...at, ts: 5, txIndex: null } })).toBe(eventLine(swap))
  })
})

describe('a digest', () => {
  it('does not depend on the order of the lines, but on each of them', () => {
    expect(eventDigest(['b', 'a'], hash)).toBe(eventDigest(['a', 'b'], hash))
    expect(eventDigest(['a', 'a'], hash)).not.toBe(eventDigest(['a'], hash))
    expect(eventDigest([], hash)).toBe(hash(''))
  })
})
