import { expect, test } from 'vitest'
import type { StockView } from '../../src/domain/views/stock.ts'
import {
  priceConfidences,
  priceReasons,
  priceSources,
  type TokenPricesView,
} from '../../src/domain/views/token-price.ts'
import { createApi } from './api.ts'
import { readManifest } from './numbers/chain.ts'
import {
  isAddress,
  isCount,
  isListOf,
  isNotNegative,
  isNullOr,
  isOneOf,
  isPoolId,
  isString,
  misfitsOfRows,
  type Shape,
} from './shape.ts'
import { baseUrl, sandboxDir } from './shared.ts'

const api = createApi(baseUrl)
const { tokens } = readManifest(sandboxDir)
const unknown = `0x${'e'.repeat(40)}`

const priceShape: Shape = {
  address: isAddress,
  symbol: isNullOr(isString),
  usd: isNullOr(isNotNegative),
  source: isNullOr(isOneOf(...priceSources)),
  ageSeconds: isNullOr(isCount),
  session: isNullOr(isOneOf('regular', 'pre', 'post', 'overnight', 'closed')),
  depthUsd: isNullOr(isNotNegative),
  confidence: isOneOf(...priceConfidences),
  reasons: isListOf(isOneOf(...priceReasons)),
  poolId: isNullOr(isPoolId),
}

test('every token of the chain has an item, in the order of the request', async () => {
  const addresses = [...tokens.map(({ address }) => address), unknown]
  const query = addresses.join(',')
  const { items } = await api.read<TokenPricesView>(`/api/v1/prices?addresses=${query}`)
  expect(misfitsOfRows(priceShape, items, 'items')).toEqual([])
  expect(items.map(({ address }) => address)).toEqual(addresses)
  for (const { usd, confidence, source, poolId, reasons } of items) {
    expect(usd === null).toBe(confidence === 'none')
    expect(poolId !== null).toBe(source === 'pool')
    expect(confidence === 'high' || reasons.length > 0).toBe(true)
  }
  expect(items.at(-1)).toMatchObject({ usd: null, reasons: ['token_unknown'] })
})

test('a stock priced by a pool is near its reference, or says that it is not', async () => {
  const stocks = await api.readAll<StockView>('/api/v1/stocks')
  const query = stocks.map(({ address }) => address).join(',')
  const { items } = await api.read<TokenPricesView>(`/api/v1/prices?addresses=${query}`)
  expect(items.map(({ symbol }) => symbol)).toEqual(stocks.map(({ symbol }) => symbol))
  expect(items.filter(({ source }) => source === 'pool').length).toBeGreaterThan(2)
  for (const [at, { usd, confidence, symbol }] of items.entries()) {
    const { tokenUsd } = stocks[at] ?? {}
    if (usd === null || !tokenUsd || confidence === 'low') continue
    // Both move between the two requests.
    expect(Math.abs(usd / tokenUsd - 1), symbol ?? '').toBeLessThan(0.15)
  }
})
