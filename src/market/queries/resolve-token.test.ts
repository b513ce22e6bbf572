import { expect, test } from 'vitest'
import { addressOf, keyOf, stockOf, tokens } from '../../../test/support/domain/sample-inputs.ts'
import {
  anyPool,
  followedMarket,
  poolOf,
  sampleStore,
  tokenOf,
} from '../../../test/support/market/sample-market.ts'
import { known } from '../../domain/reading.ts'

const [sameSymbol, cyrillic, sameName] = [addressOf(0xf1), addressOf(0xf2), addressOf(0xf3)]
const [classA, classC, listed] = [addressOf(0xa3), addressOf(0xa4), addressOf(0xa5)]

const memePool = (number: number, token1: `0x${string}`, usdg = 1n) =>
  poolOf(number, {
    key: keyOf({ token1 }),
    price: { sqrtPriceX96: 1000n << 96n, tick: 138_162 },
    reserves: { amount0: usdg * 10n ** 18n, amount1: usdg * 10n ** 24n },
  })

const marketWithLookAlikes = async () => {
  const store = sampleStore()
  store.write({
    stocks: [
      stockOf({ address: classA, symbol: 'GOOGL', name: 'Alphabet Class A' }),
      stockOf({ address: classC, symbol: 'GOOG', name: 'Alphabet Class C' }),
      stockOf({ address: listed, symbol: 'NVDQ', verdict: 'unknown' }),
    ],
    tokens: [
      tokenOf(sameSymbol, 'nvda'),
      tokenOf(cyrillic, 'NVDА'),
      { ...tokenOf(sameName, 'ROCKET'), name: known('NVIDIA • Robinhood Token') },
    ],
    pools: [memePool(21, sameSymbol), memePool(22, cyrillic, 5n), memePool(23, sameName)],
  })
  return followedMarket(store)
}

test.each([
  ['NVDA', 'symbol'],
  ['nvda', 'symbol'],
  ['$NVDA', 'symbol'],
  [' n.v.d.a ', 'symbol'],
  ['ｎｖｄａ', 'symbol'],
  ['NVIDIA', 'name'],
  ['nvidia corp.', 'name'],
  [tokens.nvda, 'address'],
  [`0x${tokens.nvda.slice(2).toUpperCase()}`, 'address'],
] as const)('%s is the verified NVDA, by its %s', async (q, match) => {
  const { market } = await marketWithLookAlikes()
  expect(await market.resolve(q)).toMatchObject({
    ...{ q, result: 'verified', match, asked: null, candidates: [], lookAlikesTotal: 3 },
    token: { address: tokens.nvda, symbol: 'NVDA', name: 'NVIDIA', kind: 'stock' },
  })
})

test('its look-alikes say what gives them away, the most liquid first', async () => {
  const { market } = await marketWithLookAlikes()
  const { lookAlikes } = await market.resolve('NVDA')
  const nvda = { symbol: 'NVDA', address: tokens.nvda }
  expect(lookAlikes).toMatchObject([
    {
      ...{ address: cyrillic, symbol: 'NVDА', pools: 1, poolId: poolOf(22).id },
      imitates: [{ ...nvda, signs: ['confusable_symbol'] }],
    },
    { address: sameSymbol, imitates: [{ ...nvda, signs: ['same_symbol'] }] },
    { address: sameName, imitates: [{ ...nvda, signs: ['same_name'] }] },
  ])
  expect(lookAlikes[0]?.liquidityUsd).toBeGreaterThan(lookAlikes[1]?.liquidityUsd ?? 1e9)
})

test.each([
  ['NVDА', 'NVDA'],
  ['ΝVDΑ', 'NVDA'],
  ['TSIA', 'TSLA'],
  ['NVІDІA', 'NVDA'],
])('%s looks like %s and is not the answer', async (q, symbol) => {
  const { market } = await marketWithLookAlikes()
  const { token, result, match, candidates } = await market.resolve(q)
  expect([token, result, match]).toEqual([null, 'look_alike', null])
  expect(candidates.map((each) => each.symbol)).toEqual([symbol])
})

test('the address of a look-alike is distinguished from that of the token', async () => {
  const { market } = await marketWithLookAlikes()
  expect(await market.resolve(sameName)).toMatchObject({
    ...{ result: 'look_alike', match: 'address', token: null },
    asked: { address: sameName, symbol: 'ROCKET', imitates: [{ signs: ['same_name'] }] },
    candidates: [{ address: tokens.nvda }],
  })
  const other = await market.resolve(tokens.meme)
  expect(other).toMatchObject({ result: 'unverified', token: null, candidates: [] })
  expect(other.asked).toMatchObject({ symbol: 'PEPE', imitates: [], pools: 1 })
  expect(await market.resolve(listed)).toMatchObject({
    ...{ result: 'unverified', token: null, asked: { symbol: 'NVDQ', pools: 0, poolId: null } },
  })
  expect(await market.resolve(addressOf(0xdead))).toMatchObject({ result: 'unknown', asked: null })
})

test.each([
  ['Alphabet', 'name', ['GOOGL', 'GOOG']],
  ['tesl', null, ['TSLA']],
  ['goog', 'symbol', []],
  ['Alphabet Class C', 'name', []],
  ['USDG', 'symbol', []],
  ['MOON', null, []],
  ['$', null, []],
  ['NVDQ', null, []],
])('%s: by its %s, candidates %j', async (q, match, symbols) => {
  const { market } = await marketWithLookAlikes()
  const answer = await market.resolve(q)
  expect(answer.match).toBe(match)
  expect(answer.candidates.map(({ symbol }) => symbol)).toEqual(symbols)
  if (symbols.length > 0) expect(answer.result).toBe('candidates')
  else expect(answer.result).toBe(match === null ? 'unknown' : 'verified')
})

test('pools say what their other token imitates, also when that is listed later', async () => {
  const { market, store } = await marketWithLookAlikes()
  const imitatedIn = async () => {
    const { items } = await market.pools({ ...anyPool, kind: 'meme' })
    return items.map(({ otherSymbol, otherImitates }) => `${otherSymbol} ${otherImitates}`).sort()
  }
  const before = ['NVDА NVDA', 'PEPE null', 'ROCKET NVDA', 'nvda NVDA']
  expect(await imitatedIn()).toEqual(before)
  const rocket = stockOf({ address: addressOf(0xa6), symbol: 'PEPE', name: 'Pepe Industries' })
  store.write({ stocks: [rocket] })
  await market.refresh()
  expect(await imitatedIn()).toEqual(['NVDА NVDA', 'PEPE PEPE', 'ROCKET NVDA', 'nvda NVDA'])
  expect((await market.resolve('PEPE')).lookAlikes).toMatchObject([{ address: tokens.meme }])
  store.write({ stocks: [{ ...rocket, verdict: 'disproven' }] })
  await market.refresh()
  expect(await imitatedIn()).toEqual(before)
  expect(await market.resolve('PEPE')).toMatchObject({ result: 'unknown', lookAlikesTotal: 0 })
})
