import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startServer, type TestServer } from '../../../test/support/api/harness.ts'
import { sampleKeptSince, samplePools } from '../../../test/support/api/sample-market.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const [first, second] = samplePools
const pathOf = (id: string | undefined) => `/api/v1/pools/${id}/candles`
const path = pathOf(first?.id)
const lastQuery = () => server.market.queries.at(-1)

describe('parameters', () => {
  test('have the defaults of the documentation', async () => {
    await server.request(`${path}?width=4h`)
    expect(lastQuery()).toEqual({
      id: first?.id,
      query: {
        ...{ limit: 100, cursor: null, fromTs: null, toTs: null, order: 'desc' },
        ...{ width: '4h', price: 'usd', fill: 'none', hasStockVolume: true },
      },
    })
  })

  test('reach the market', async () => {
    const own = 'width=1m&price=other&fill=previous'
    await server.request(`${path}?${own}&limit=1000&from=1795000001&to=1795000002&order=asc`)
    expect(lastQuery()).toMatchObject({
      query: {
        ...{ limit: 1000, fromTs: 1_795_000_001, toTs: 1_795_000_002, order: 'asc' },
        ...{ width: '1m', price: 'other', fill: 'previous' },
      },
    })
  })

  test.each([
    ['', 'width'],
    ['width=2m', 'width'],
    ['width=1H', 'width'],
    ['width=1h&limit=0', 'limit'],
    ['width=1h&limit=1001', 'limit'],
    ['width=1h&from=-1', 'from'],
    ['width=1h&from=1.5', 'from'],
    ['width=1h&from=253402300800', 'from'],
    ['width=1h&to=1e9', 'to'],
    ['width=1h&from=2&to=1', 'from'],
    ['width=1h&order=up', 'order'],
    ['width=1h&price=eur', 'price'],
    ['width=1h&fill=zero', 'fill'],
    ['width=1h&cursor=', 'cursor'],
    ['width=1h&cursor=%20', 'cursor'],
    ['width=1h&cursor=AAAA', 'cursor'],
  ])('?%s is refused by the name of %s', async (query, param) => {
    const reply = await server.request(`${path}?${query}`)
    expect(reply.status).toBe(400)
    expect(reply.json().error).toMatchObject({ code: 'invalid_parameter', param })
  })
})

describe('the cursor', () => {
  test('continues its own list', async () => {
    const { next } = (await server.request(`${path}?width=1h`)).json()
    const reply = await server.request(`${path}?width=1h&limit=7&price=other&cursor=${next}`)
    expect(reply.status).toBe(200)
    expect(lastQuery()).toMatchObject({ query: { cursor: { ts: 1_795_215_600 }, limit: 7 } })
  })

  test('is refused by every other list, and cut', async () => {
    const { next } = (await server.request(`${path}?width=1h`)).json()
    const asked = [
      `${pathOf(second?.id)}?width=1h&cursor=${next}`,
      `${path}?width=4h&cursor=${next}`,
      `${path}?width=1h&order=asc&cursor=${next}`,
      `${path}?width=1h&cursor=${next.slice(0, -1)}`,
    ]
    for (const each of asked) {
      const reply = await server.request(each)
      expect(reply.status, each).toBe(400)
      expect(reply.json().error).toMatchObject({ code: 'invalid_parameter', param: 'cursor' })
    }
  })
})

test('what was deleted is gone, and the answer says since when candles are kept', async () => {
  const reply = await server.request(`${path}?width=1m&to=${sampleKeptSince - 1}`)
  expect(reply.status).toBe(410)
  expect(reply.json().error.code).toBe('history_pruned')
  expect(reply.json().detail).toContain(String(sampleKeptSince))
})

test('a stock has the same form, and cursors of its own', async () => {
  const ofStock = '/api/v1/stocks/nvda/candles'
  const { next } = (await server.request(`${ofStock}?width=1h`)).json()
  const query = `width=1h&limit=5&from=1&to=1795300000&cursor=${next}`
  expect((await server.request(`${ofStock}?${query}`)).status).toBe(200)
  expect(lastQuery()).toEqual({
    key: { symbol: 'NVDA' },
    query: {
      ...{ limit: 5, cursor: { ts: 1_795_215_600 }, fromTs: 1, toTs: 1_795_300_000 },
      ...{ order: 'desc', width: '1h' },
    },
  })
  for (const [other, status, code] of [
    [`/api/v1/stocks/TSLA/candles?width=1h&cursor=${next}`, 400, 'invalid_parameter'],
    [`${path}?width=1h&cursor=${next}`, 400, 'invalid_parameter'],
    [`${ofStock}?width=1h&price=usd`, 400, 'unknown_parameter'],
    [`${ofStock}?width=1h&to=1`, 410, 'history_pruned'],
    ['/api/v1/stocks/NONE/candles?width=1h', 404, 'stock_not_found'],
  ] as const) {
    const reply = await server.request(other)
    expect([reply.status, reply.json().error.code], other).toEqual([status, code])
  }
})

test('an unknown pool is 404', async () => {
  const reply = await server.request(`${pathOf(`0x${'9'.repeat(40)}`)}?width=1h`)
  expect([reply.status, reply.json().error.code]).toEqual([404, 'pool_not_found'])
})

test('the OpenAPI document has the errors and an example', async () => {
  const { paths } = (await server.request('/api/v1/openapi.json')).json()
  const { get } = paths['/api/v1/pools/{id}/candles']
  expect(Object.keys(get.responses)).toContain('410')
  const { example } = get.responses[200].content['application/json']
  expect(example.items).toHaveLength(1)
  expect(example.items[0]).toMatchObject({ open: 225.1, closed: true })
})
