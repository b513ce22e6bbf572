import { describe, expect, it } from 'vitest'
import { tickAtSqrtPrice } from '../../src/domain/math/tick-math.ts'
import {
  activeLiquidityAt,
  applyLiquidityDelta,
  buildTickMap,
  emptyTickMap,
  listTicks,
  type Tick,
  type TickMap,
} from '../../src/domain/pool/tick-map.ts'
import { reservesFromTickMap } from '../../src/domain/pool/tick-map-reserves.ts'
import { positionAmounts } from '../support/domain/position-amounts.ts'
import { readData } from './read-data.ts'

type Ticks = readonly (readonly [tick: number, net: string, gross: string])[]
type Bitmap = readonly (readonly [word: number, bits: string])[]
type RecordedMap = {
  name: string
  isComplete: boolean
  tickSpacing: number
  sqrtPriceX96: string
  tick: number
  liquidity: string
  managerBalances?: readonly [string, string]
  ticks: Ticks
  bitmap?: Bitmap
}

const rowsOf = (ticks: Ticks): Tick[] =>
  ticks.map(([tick, net, gross]) => ({ tick, net: BigInt(net), gross: BigInt(gross) }))

const mapOf = (ticks: Ticks): TickMap => {
  const reading = buildTickMap(rowsOf(ticks))
  if (!reading.known) throw new Error(reading.reason)
  return reading.value
}

/** TickBitmap: bit b of word w stands for the tick (256 w + b) · spacing. */
const ticksOfBitmap = (bitmap: Bitmap, tickSpacing: number): number[] =>
  bitmap
    .flatMap(([word, bits]) =>
      Array.from({ length: 256 }, (_, bit) => bit)
        .filter((bit) => ((BigInt(bits) >> BigInt(bit)) & 1n) === 1n)
        .map((bit) => (256 * word + bit) * tickSpacing),
    )
    .sort((a, b) => a - b)

/** Beginnings paired with ends: not the real positions, but some that make the same map. */
const positionsOf = (ticks: Ticks) => {
  const ends = ticks.map(([tick, net, gross]) => ({
    tick,
    left: (BigInt(gross) - BigInt(net)) / 2n,
  }))
  return ticks.flatMap(([tickLower, net, gross]) => {
    const positions = []
    let begins = (BigInt(gross) + BigInt(net)) / 2n
    for (const end of ends) {
      if (begins === 0n) break
      if (end.tick <= tickLower || end.left === 0n) continue
      const liquidityDelta = begins < end.left ? begins : end.left
      positions.push({ tickLower, tickUpper: end.tick, liquidityDelta })
      end.left -= liquidityDelta
      begins -= liquidityDelta
    }
    return positions
  })
}

const maps = readData<RecordedMap[]>('liquidity-maps')
const complete = maps.filter(({ isComplete }) => isComplete)

describe.each(complete.map((recorded) => [recorded.name, recorded] as const))(
  'the recorded map of %s',
  (_, recorded) => {
    const map = mapOf(recorded.ticks)
    const sqrtPriceX96 = BigInt(recorded.sqrtPriceX96)

    it('is in range with the liquidity that the contract says', () => {
      expect(activeLiquidityAt(map, recorded.tick)).toBe(BigInt(recorded.liquidity))
      expect(tickAtSqrtPrice(sqrtPriceX96)).toBe(recorded.tick)
    })

    it('comes back as it was', () => {
      expect(listTicks(map)).toEqual(rowsOf(recorded.ticks))
    })

    it('is the fold of positions, whose amounts are its reserves', () => {
      const positions = positionsOf(recorded.ticks)
      let folded = emptyTickMap
      let [amount0, amount1] = [0n, 0n]
      for (const position of positions) {
        const next = applyLiquidityDelta(folded, position)
        if (!next.known) throw new Error(next.reason)
        folded = next.value
        const range = { ...position, liquidity: position.liquidityDelta }
        const amounts = positionAmounts(range, sqrtPriceX96)
        amount0 += amounts.amount0
        amount1 += amounts.amount1
      }
      expect(folded).toEqual(map)
      const reserves = reservesFromTickMap(map, sqrtPriceX96)
      // Each position and each segment is rounded down by less than a unit.
      const slack = BigInt(positions.length + map.ticks.length)
      for (const difference of [reserves.amount0 - amount0, reserves.amount1 - amount1]) {
        expect(difference < 0n ? -difference : difference).toBeLessThan(slack)
      }
    })

    it('holds no more than the PoolManager owned, where that was recorded', () => {
      const [balance0, balance1] = recorded.managerBalances ?? []
      const reserves = reservesFromTickMap(map, sqrtPriceX96)
      if (balance0 !== undefined) expect(reserves.amount0).toBeLessThan(BigInt(balance0))
      if (balance1 !== undefined) expect(reserves.amount1).toBeLessThan(BigInt(balance1))
      expect(reserves.amount0).toBeGreaterThan(0n)
      expect(reserves.amount1).toBeGreaterThan(0n)
    })

    it('has its ticks where the bitmap has its bits, where that was recorded', () => {
      if (recorded.bitmap === undefined) return
      expect(map.ticks).toEqual(ticksOfBitmap(recorded.bitmap, recorded.tickSpacing))
    })
  },
)

describe('recorded maps with gaps', () => {
  it.each(
    maps.filter(({ isComplete }) => !isComplete).map(({ name, ticks }) => [name, ticks] as const),
  )('%s: refused, not summed', (_, ticks) => {
    expect(buildTickMap(rowsOf(ticks)).known).toBe(false)
  })
})

describe('all v4 pools of Ethereum with liquidity at block 21,883,665', () => {
  type Snapshot = { id: string; tickSpacing: number | null; ticks: Ticks; bitmap: Bitmap }
  const pools = readData<Snapshot[]>('v4-liquidity-snapshot')

  it('are 792 maps without a gap', () => {
    expect(pools).toHaveLength(792)
    for (const { ticks } of pools) {
      expect(listTicks(mapOf(ticks))).toEqual(rowsOf(ticks))
    }
  })

  it('have their ticks where their bitmaps have bits, wherever the spacing is known', () => {
    const known = pools.filter(({ tickSpacing }) => tickSpacing !== null)
    expect(known).toHaveLength(116)
    for (const { tickSpacing, ticks, bitmap } of known) {
      expect(mapOf(ticks).ticks).toEqual(ticksOfBitmap(bitmap, tickSpacing ?? 0))
    }
  })

  it('never hold less than nothing, at whatever price', () => {
    for (const { ticks } of pools) {
      const map = mapOf(ticks)
      const [first = 1n] = map.sqrtPricesX96
      const last = map.sqrtPricesX96.at(-1) ?? 1n
      expect(reservesFromTickMap(map, first).amount1).toBe(0n)
      expect(reservesFromTickMap(map, last).amount0).toBe(0n)
      expect(reservesFromTickMap(map, last).amount1).toBeGreaterThanOrEqual(0n)
    }
  })
})
