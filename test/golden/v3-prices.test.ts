import { describe, expect, it } from 'vitest'
import { inverseOf, priceOf, stockPriceInOther } from '../../src/domain/math/price.ts'
import { known } from '../../src/domain/reading.ts'
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
      const price = priceOf(BigInt(sqrtPriceX96), decimals0, decimals1)
      const { numerator, denominator } = stockIsToken0 ? price : inverseOf(price)
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
