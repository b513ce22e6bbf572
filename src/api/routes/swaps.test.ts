import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startServer, type TestServer } from '../../../test/support/api/harness.ts'
import {
  sampleKeptSince,
  samplePools,
  sampleReplacedTs,
} from '../../../test/support/api/sample-market.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const [first, second] = samplePools
const pathOf = (id: string | undefined) => `/api/v1/pools/${id}/swaps`
const path = pathOf(first?.id)
const paths = [path, '/api/v1/stocks/NVDA/swaps', '/api/v1/swaps']
const lastQuery = () => server.market.queries.at(-1)
const errorOf = async (asked: string) => {
  const reply = await server.request(asked)
  const { code, param } = reply.json().error
  return [reply.status, code, param]
}

describe.each(paths)('%s', (list) => {
  test('has the defaults of the documentation', async () => {
    await server.request(list)
    expect(lastQuery()).toHaveProperty('query', {
      ...{ side: null, minUsd: null, trader: null, sender: null },
      ...{ limit: 100, cursor: null, fromTs: null, toTs: null, order: 'desc' },
    })
  })

  test('hands its parameters to the market, addresses in lower case', async () => {
    const address = `0x${'aB'.repeat(20)}`
    const own = `side=sell&minUsd=0.5&trader=${address}&sender=${address}`
    await server.request(`${list}?${own}&limit=7&from=1795000001&to=1795000002&order=asc`)
    expect(lastQuery()).toHaveProperty('query', {
      ...{ side: 'sell', minUsd: 0.5, trader: address.toLowerCase() },
      ...{ sender: address.toLowerCase(), limit: 7, cursor: null },
      ...{ fromTs: 1_795_000_001, toTs: 1_795_000_002, order: 'asc' },
    })
  })

  test('continues by its own cursor, and by no other one', async () => {
    const { items, next } = (await server.request(list)).json()
    const [{ block, logIndex, ts, txHash }] = items
    expect((await server.request(`${list}?limit=3&side=buy&cursor=${next}`)).status).toBe(200)
    const cursor = { block, logIndex, ts, txPrefix: txHash.slice(0, 18), hashPrefix: null }
    expect(lastQuery()).toMatchObject({ query: { cursor, limit: 3 } })
    const others = [...paths, pathOf(second?.id), '/api/v1/stocks/TSLA/swaps']
    const refused = others.filter((other) => other !== list).map((other) => `${other}?`)
    for (const other of [...refused, `${list}?order=asc&`]) {
      const error = await errorOf(`${other}cursor=${next}`)
      expect(error, other).toEqual([400, 'invalid_parameter', 'cursor'])
    }
    const cut = await errorOf(`${list}?cursor=${next.slice(0, -1)}`)
    expect(cut).toEqual([400, 'invalid_parameter', 'cursor'])
  })

  test('says that rows were deleted, or that the cursor was replaced', async () => {
    const pruned = await errorOf(`${list}?to=${sampleKeptSince - 1}`)
    expect(pruned).toEqual([410, 'history_pruned', undefined])
    const { next } = (await server.request(list)).json()
    const replaced = await errorOf(`${list}?cursor=${next}&to=${sampleReplacedTs}`)
    expect(replaced).toEqual([409, 'cursor_replaced', 'cursor'])
  })
})

test.each([
  ['side=up', 'side'],
  ['minUsd=-1', 'minUsd'],
  ['minUsd=1e3', 'minUsd'],
  ['trader=0x12', 'trader'],
  [`sender=0x${'g'.repeat(40)}`, 'sender'],
  ['limit=1001', 'limit'],
  ['from=2&to=1', 'from'],
  ['cursor=AAAA', 'cursor'],
])('?%s is refused by the name of %s', async (query, param) => {
  for (const list of paths) {
    expect(await errorOf(`${list}?${query}`)).toEqual([400, 'invalid_parameter', param])
  }
})

test('an unknown pool or stock is 404', async () => {
  expect(await errorOf(pathOf(`0x${'9'.repeat(40)}`))).toEqual([404, 'pool_not_found', 'id'])
  const stock = await errorOf('/api/v1/stocks/NONE/swaps')
  expect(stock).toEqual([404, 'stock_not_found', 'symbol'])
})

test('the OpenAPI document has both errors and an example', async () => {
  const { paths: described } = (await server.request('/api/v1/openapi.json')).json()
  const { get } = described['/api/v1/stocks/{symbol}/swaps']
  expect(Object.keys(get.responses)).toEqual(expect.arrayContaining(['409', '410']))
  const { example } = get.responses[200].content['application/json']
  expect(example.items[0]).toMatchObject({ stockSymbol: 'NVDA', settled: true })
})
