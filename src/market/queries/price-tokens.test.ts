import { expect, test } from 'vitest'
import {
  addressOf,
  keyOf,
  noon,
  oracleOf,
  saturday,
  tokens,
} from '../../../test/support/domain/sample-inputs.ts'
import {
  anchorAt,
  anyPool,
  followedMarket,
  poolOf,
  samplePools,
  sampleStore,
  stocks,
  tokenOf,
} from '../../../test/support/market/sample-market.ts'

const unknown = addressOf(0xeeee)

test('answers each address in its order, known or not, and repeated ones', async () => {
  const { market } = await followedMarket()
  const asked = [unknown, tokens.usdg, tokens.nvda, tokens.meme, tokens.nvda, tokens.native]
  const { items } = await market.prices(asked)
  expect(items.map(({ address }) => address)).toEqual(asked)
  expect(items.map(({ symbol }) => symbol)).toEqual([null, 'USDG', 'NVDA', 'PEPE', 'NVDA', 'ETH'])
  expect(items[0]).toEqual({
    ...{ address: unknown, symbol: null, usd: null, source: null, ageSeconds: null },
    ...{ session: null, depthUsd: null, confidence: 'none', reasons: ['token_unknown'] },
    poolId: null,
  })
  expect(items[1]).toMatchObject({ usd: 1, source: 'chainlink', ageSeconds: 101 })
  expect(items[4]).toEqual(items[2])
  expect((await market.prices([])).items).toEqual([])
})

test('a stock has the price of the best pool of its row', async () => {
  const { market } = await followedMarket()
  const { items } = await market.prices([tokens.nvda])
  const { items: rows } = await market.stocks({ q: 'NVDA', limit: 1, offset: 0 })
  expect(items[0]).toMatchObject({
    ...{ usd: rows[0]?.poolPriceUsd, poolId: rows[0]?.bestPoolId, source: 'pool' },
    ...{ depthUsd: 15_000, confidence: 'high', reasons: [], ageSeconds: 2 },
  })
})

test('a stock without a deep pool has its reference', async () => {
  const { market } = await followedMarket()
  const { items } = await market.prices([tokens.tsla])
  expect(items[0]).toMatchObject({ usd: 400, source: 'issuer', confidence: 'medium', poolId: null })
})

test('at the weekend a deep pool gives the price, at a lower confidence', async () => {
  const store = sampleStore()
  const header = { cursor: anchorAt(2000, saturday - 2), enrichedTs: saturday - 5 }
  const readStocks = stocks.map((stock) => ({ ...stock, readTs: saturday }))
  store.write({ header, stocks: readStocks })
  store.write({ quotes: [oracleOf(1, { address: tokens.usdg, publishedTs: saturday })] })
  const followed = await followedMarket(store)
  followed.clock.ts = saturday
  const { items } = await followed.market.prices([tokens.nvda, tokens.tsla])
  expect(items[0]).toMatchObject({ source: 'pool', confidence: 'medium', session: 'closed' })
  expect(items[0]?.reasons).toContain('market_closed')
  expect(items[1]).toMatchObject({ source: 'issuer', confidence: 'low' })
})

test('a meme has the price of its deepest pool that no hook spoils', async () => {
  const hooked = poolOf(7, {
    version: 'v4',
    key: keyOf({ token1: tokens.meme, hooks: addressOf(0x80) }),
    price: { sqrtPriceX96: 500n << 96n, tick: 124_295 },
    depth: { amount0: 500n * 10n ** 18n, amount1: 10n ** 26n },
  })
  const deep = { ...samplePools.meme, depth: { amount0: 10n ** 20n, amount1: 10n ** 26n } }
  const store = sampleStore()
  store.write({ pools: [deep, hooked] })
  const { market } = await followedMarket(store)
  const [price] = (await market.prices([tokens.meme])).items
  const { items } = await market.pools({ ...anyPool, kind: 'meme' })
  const row = items.find(({ id }) => id === deep.id)
  expect(price).toMatchObject({ usd: row?.otherPriceUsd, depthUsd: row?.depthUsd, poolId: deep.id })
  expect(price).toMatchObject({ confidence: 'medium', session: 'regular' })
  expect(price?.reasons).toContain('single_source')
})

test('a token without a usable pool has no price', async () => {
  const other = addressOf(0xc2)
  const store = sampleStore()
  store.write({
    tokens: [tokenOf(other, 'MOON')],
    pools: [poolOf(8, { key: keyOf({ token1: other }), price: null })],
  })
  const { market } = await followedMarket(store)
  const [price] = (await market.prices([other])).items
  expect(price).toMatchObject({ symbol: 'MOON', usd: null, confidence: 'none' })
  expect(price?.reasons).toContain('price_missing')
})

test('the prices age with the clock', async () => {
  const followed = await followedMarket()
  followed.clock.ts = noon + 3600
  const { items } = await followed.market.prices([tokens.nvda])
  expect(items[0]).toMatchObject({ ageSeconds: 3601, confidence: 'low' })
})
