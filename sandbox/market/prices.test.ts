import { expect, test } from 'vitest'
import { etherSpec, stocks, wethSpec } from '../world/tokens.ts'
import { createPrices } from './prices.ts'

const [nvda = etherSpec, aapl = etherSpec] = stocks

test('the same seed gives the same walk, independent of other prices', () => {
  const alone = createPrices(1)
  const among = createPrices(1)
  for (const spec of [aapl, nvda]) among.add(spec)
  alone.add(nvda)
  for (const prices of [alone, among]) prices.advance(60)
  expect(alone.usd('NVDA')).toBe(among.usd('NVDA'))
  expect(alone.usd('NVDA')).not.toBe(nvda.usd)
})

test('a saved walk resumes as if it had never stopped', () => {
  const prices = createPrices(1)
  prices.add(nvda)
  prices.advance(60)
  const resumed = createPrices(1, prices.save())
  for (const each of [prices, resumed]) each.advance(60)
  expect(resumed.usd('NVDA')).toBe(prices.usd('NVDA'))
})

test('stays near its anchor and within its range over a year', () => {
  const prices = createPrices(3)
  prices.add(nvda)
  for (let hour = 0; hour < 24 * 365; hour += 1) prices.advance(3_600)
  expect(Math.abs(prices.usd('NVDA') / nvda.usd - 1)).toBeLessThan(0.15)
  const { low, high } = prices.dayRange('NVDA')
  expect(low).toBeLessThanOrEqual(prices.usd('NVDA'))
  expect(high).toBeGreaterThanOrEqual(prices.usd('NVDA'))
})

test('ETH and WETH share a price; an unknown token is an error', () => {
  const prices = createPrices(1)
  for (const spec of [etherSpec, wethSpec]) prices.add(spec)
  prices.advance(600)
  expect(prices.usd('WETH')).toBe(prices.usd('ETH'))
  expect(() => prices.usd('UNKNOWN')).toThrow('UNKNOWN')
})
