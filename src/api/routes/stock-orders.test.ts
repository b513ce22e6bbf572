import { afterAll, beforeAll, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../../test/support/api/harness.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const path = '/api/v1/stocks/nvda/quote'
const key = { symbol: 'NVDA' }

it.each([
  ['stockAmount=1.50', { whole: { digits: 150n, decimals: 2 } }],
  ['usd=10000', { usd: 10_000 }],
  ['usd=0.01', { usd: 0.01 }],
])('asks the market for %s', async (query, amount) => {
  const reply = await server.request(`${path}?${query}&side=sell`)
  expect(reply.status).toBe(200)
  expect(server.market.queries.at(-1)).toEqual({ key, order: { side: 'sell', amount } })
})

it.each([
  ['', 'side'],
  ['usd=1', 'side'],
  ['side=both&usd=1', 'side'],
  ['side=buy', 'stockAmount,usd'],
  ['side=buy&usd=1&stockAmount=1', 'stockAmount,usd'],
  ...['0', '-1', '1e3', '', '0x1'].flatMap((text): [string, string][] => [
    [`side=buy&stockAmount=${text}`, 'stockAmount'],
    [`side=buy&usd=${text}`, 'usd'],
  ]),
  [`side=buy&stockAmount=0.${'0'.repeat(36)}1`, 'stockAmount'],
  // The sample's stock has six decimals.
  ['side=buy&stockAmount=0.0000001', 'stockAmount'],
  ['side=buy&usd=1000000000000001', 'usd'],
])('rejects ?%s and names %s', async (query, param) => {
  const reply = await server.request(`${path}?${query}`)
  expect(reply.status).toBe(400)
  expect(reply.json().error).toMatchObject({ code: 'invalid_parameter', param })
})

it.each(['otherAmount=1', 'otherAmountRaw=1', 'stockAmountRaw=1'])(
  'has no %s: only dollars are common to the pools',
  async (query) => {
    const reply = await server.request(`${path}?side=buy&${query}`)
    expect(reply.json().error).toMatchObject({
      code: 'unknown_parameter',
      param: query.split('=')[0],
    })
  },
)

it('says what to give', async () => {
  const reply = await server.request(`${path}?side=buy`)
  expect(reply.json().detail).toBe('exactly one of stockAmount, usd must be given')
})

it.each(['quote?side=buy&usd=1', 'depth'])('has no %s of an unknown stock', async (query) => {
  const reply = await server.request(`/api/v1/stocks/NONE/${query}`)
  expect([reply.status, reply.json().error.code]).toEqual([404, 'stock_not_found'])
})
