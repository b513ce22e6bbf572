import { keccak256 } from 'viem'
import { describe, expect, it } from 'vitest'
import type { ChainLog } from '../../src/domain/chain/log.ts'
import { getProtocol } from '../../src/domain/dex/find-protocol.ts'
import { decodeLog } from '../../src/domain/dex/protocol.ts'
import { uniswapV4 } from '../../src/domain/dex/uniswap-v4/decode.ts'
import { tickAtSqrtPrice } from '../../src/domain/math/tick-math.ts'
import type { PoolEvent } from '../../src/domain/pool/pool-event.ts'
import { buildTickMap } from '../../src/domain/pool/tick-map.ts'
import { simulateSwap } from '../../src/domain/swap/simulate-swap.ts'
import { swapFeeOf } from '../../src/domain/swap/swap-fee.ts'
import { chainLog, readData } from './read-data.ts'

const infinity = getProtocol('pancakeswap-infinity-cl')
const logs = readData<(ChainLog & { readonly name: string })[]>('fork-logs')

const eventOf = <Kind extends PoolEvent['kind']>(
  name: string,
  kind: Kind,
): Extract<PoolEvent, { kind: Kind }> => {
  const found = logs.find((log) => log.name === `Infinity ${name}`)
  if (found === undefined) throw new Error(`no recorded ${name}`)
  const decoded = decodeLog(infinity, chainLog(found))
  if (!decoded?.ok || decoded.event.kind !== kind) throw new Error(`${name} does not decode`)
  return decoded.event as Extract<PoolEvent, { kind: Kind }>
}

const created = eventOf('Initialize', 'created')
const changed = eventOf('ModifyLiquidity', 'liquidity-changed')
const swapped = eventOf('Swap', 'swapped')

const venueOf = (address: typeof created.venue) => {
  const none = { initCodeHash: null, poolDeployer: null, poolImplementation: null }
  return { ...none, address }
}

describe('the recorded Initialize', () => {
  it('names the pool whose id follows from its key and its manager', () => {
    expect(infinity.computeId(created.key, venueOf(created.venue), keccak256)).toBe(created.poolId)
  })

  it('and each part of the key counts', () => {
    const { key, venue } = created
    const others = [
      { ...key, token0: key.token1 },
      { ...key, token1: key.token0 },
      { ...key, fee: key.fee + 1 },
      { ...key, hooks: key.token0 },
      { ...key, parameters: `0x${'1'.padStart(64, '0')}` as const },
    ]
    for (const other of others) {
      expect(infinity.computeId(other, venueOf(venue), keccak256)).not.toBe(created.poolId)
    }
    expect(infinity.computeId(key, venueOf(key.token0), keccak256)).not.toBe(created.poolId)
    expect(infinity.computeId({ ...key, parameters: null }, venueOf(venue), keccak256)).toBe(null)
    // A reader without a network file knows no manager.
    expect(infinity.computeId(key, venueOf(`0x${'0'.repeat(40)}`), keccak256)).toBe(null)
  })

  it('has the spacing of its parameters, and a price at its tick', () => {
    expect(created.key).toMatchObject({ fee: 37, tickSpacing: 1 })
    expect(tickAtSqrtPrice(created.initial?.sqrtPriceX96 ?? 0n)).toBe(created.initial?.tick)
    expect(changed.poolId).toBe(created.poolId)
  })
})

describe('the recorded Swap', () => {
  const { poolId, amount0, amount1, liquidity, fee } = swapped

  it('is of the same pool, at its tick', () => {
    expect(poolId).toBe(created.poolId)
    expect(tickAtSqrtPrice(swapped.sqrtPriceX96)).toBe(swapped.tick)
  })

  it('is reproduced to the unit by the maths of v4 with the whole fee', () => {
    const { tickLower, tickUpper, liquidityDelta: delta } = changed
    const map = buildTickMap([
      { tick: tickLower, gross: delta, net: delta },
      { tick: tickUpper, gross: delta, net: -delta },
    ])
    if (!map.known) throw new Error('no map')
    // Of the input the fee stays out of the price; what is left moved it by this much.
    const moved = (amount1 * (1_000_000n - BigInt(fee ?? 0))) / 1_000_000n
    const before = swapped.sqrtPriceX96 - (moved << 96n) / liquidity
    const price = { sqrtPriceX96: before, tick: tickAtSqrtPrice(before) }
    const pool = { price, liquidity, tickMap: map.value, tickSpacing: created.key.tickSpacing }
    const order = { zeroForOne: false, exact: 'input', amount: amount1, fee: fee ?? 0 } as const
    expect(simulateSwap(pool, order)).toMatchObject({
      amountIn: amount1,
      amountOut: -amount0,
      price: { sqrtPriceX96: swapped.sqrtPriceX96, tick: swapped.tick },
    })
    // 18 of the protocol, as the log says, in the upper half: token1 enters.
    const known = { protocol: infinity.id, key: created.key }
    const fees = { lpFee: created.key.fee, protocolFee: 18 << 12 }
    expect(swapFeeOf({ ...known, fees }, false)).toBe(fee)
    expect(swapFeeOf({ ...known, fees }, true)).toBe(created.key.fee)
    expect(swapFeeOf({ ...known, fees: { ...fees, protocolFee: 4000 } }, true)).toBe(4037)
  })

  it('is none of v4, and the liquidity of both has one topic', () => {
    const logOf = (name: string) => chainLog(logs.find((log) => log.name === name) as ChainLog)
    expect(decodeLog(uniswapV4, logOf('Infinity Swap'))).toBe(null)
    expect(decodeLog(uniswapV4, logOf('Infinity Initialize'))).toBe(null)
    expect(decodeLog(uniswapV4, logOf('Infinity ModifyLiquidity'))?.ok).toBe(true)
  })
})
