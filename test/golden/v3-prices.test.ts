import { describe, expect, it } from 'vitest'
import { invertRatio, priceRatio, stockPriceInOther } from '../../src/domain/math/pool-price.ts'
import { sqrtPriceMaxX96 } from '../../src/domain/math/tick-math.ts'
import { known } from '../../src/domain/reading.ts'
import { isActive } from '../../src/domain/valuation/pool-flags.ts'
import { readData } from './read-data.ts'

type Recorded = {
  symbol: string
  address: string
  stockIsToken0: boolean
  sqrtPriceX96: string
  priceWad: string
}

const stockDecimals = 18
const usdgDecimals = 6

describe('recorded √prices of v3 stock pools give USDG per stock, to the last of 18 digits', () => {
  const pools = readData<Recorded[]>('v3-prices')

  it.each(pools.map((pool) => [pool.symbol, pool.address, pool] as const))(
    '%s in %s',
    (_symbol, _address, { stockIsToken0, sqrtPriceX96, priceWad }) => {
      const [decimals0, decimals1] = stockIsToken0
        ? [stockDecimals, usdgDecimals]
        : [usdgDecimals, stockDecimals]
      const price = priceRatio(BigInt(sqrtPriceX96), decimals0, decimals1)
      const { numerator, denominator } = stockIsToken0 ? price : invertRatio(price)
      expect((numerator * 10n ** 18n) / denominator).toBe(BigInt(priceWad))

      const approx = stockPriceInOther(
        { sqrtPriceX96: BigInt(sqrtPriceX96) },
        stockIsToken0,
        known(decimals0),
        known(decimals1),
      )
      if (!approx.known) throw new Error(approx.reason)
      expect(Math.abs(approx.value / (Number(priceWad) / 1e18) - 1)).toBeLessThan(1e-15)
    },
  )
})

/*
 * Degenerate pools are real: AMZN / USDG at 1 % stood at the last √price below the bound (a price
 * of 3.4e50), AMD / USDG at 0.01 % was initialised at a √price of about 1 and never used.
 */
describe('prices that say nothing', () => {
  it('at the end of the range there is none', () => {
    const price = { sqrtPriceX96: sqrtPriceMaxX96 - 1n }
    for (const stockIsToken0 of [true, false]) {
      const reading = stockPriceInOther(
        price,
        stockIsToken0,
        known(stockDecimals),
        known(usdgDecimals),
      )
      expect(reading).toEqual({ known: false, reason: 'price_at_bound' })
    }
  })

  it('a pool without liquidity keeps its last price, however absurd, but is not active', () => {
    const recorded = readData<(Recorded & { liquidity: string })[]>('v3-prices')
    const [empty, ...others] = recorded.filter(({ liquidity }) => liquidity === '0')
    expect(others).toEqual([])
    const sqrtPriceX96 = BigInt(empty?.sqrtPriceX96 ?? 0)
    const shown = stockPriceInOther(
      { sqrtPriceX96 },
      true,
      known(stockDecimals),
      known(usdgDecimals),
    )
    expect(shown.known && shown.value / 1e12).toBeCloseTo(1, 3)
    const asOfTs = 1_788_506_772
    const pool = { price: { sqrtPriceX96, tick: -1 }, lastSwapTs: asOfTs, createdTs: asOfTs }
    expect(isActive({ ...pool, liquidity: 0n }, asOfTs)).toBe(false)
    expect(isActive({ ...pool, liquidity: 1n }, asOfTs)).toBe(true)
  })
})
