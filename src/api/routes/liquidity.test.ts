import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startServer, type TestServer } from '../../../test/support/api/harness.ts'
import {
  sampleKeptSince,
  samplePools,
  sampleReadSince,
  sampleReplacedTs,
} from '../../../test/support/api/sample-market.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const pathOf = (id: string | undefined) => `/api/v1/pools/${id}/liquidity`
const poolOf = (version: 'v3' | 'v4') => samplePools.find((pool) => pool.version === version)
const paths = [pathOf(poolOf('v3')?.id), pathOf(poolOf('v4')?.id)] as const
const lastQuery = () => server.market.queries.at(-1)
const read = async (asked: string) => (await server.request(asked)).json()
const errorOf = async (asked: string) => {
  const reply = await server.request(asked)
  const { code, param, detail } = reply.json().error
  return { status: reply.status, code, param, detail }
}

describe.each(paths)('%s', (list) => {
  test('has the defaults of the documentation', async () => {
    await read(list)
    expect(lastQuery()).toHaveProperty('query', {
      ...{ limit: 100, cursor: null, fromTs: null, toTs: null, order: 'desc' },
    })
  })

  test('continues by its own cursor, and by no other one', async () => {
    const { items, next } = await read(`${list}?limit=3&order=asc`)
    await read(`${list}?limit=3&order=asc&from=1795000001&cursor=${next}`)
    const [{ block, logIndex, ts, txHash }] = items
    const cursor = { block, logIndex, ts, txPrefix: txHash.slice(0, 18), hashPrefix: null }
    expect(lastQuery()).toMatchObject({ query: { cursor, fromTs: 1_795_000_001, order: 'asc' } })
    const swaps = list.replace('/liquidity', '/swaps')
    for (const other of [list, `${swaps}?order=asc`, ...paths.filter((path) => path !== list)]) {
      const asked = `${other}${other.includes('?') ? '&' : '?order=desc&'}cursor=${next}`
      expect(await errorOf(asked), other).toMatchObject({ status: 400, param: 'cursor' })
    }
  })

  test('answers 409 for a cursor whose block was replaced', async () => {
    const { next } = await read(list)
    const error = await errorOf(`${list}?cursor=${next}&to=${sampleReplacedTs}`)
    expect(error).toMatchObject({ status: 409, code: 'cursor_replaced', param: 'cursor' })
  })

  test('is never 410, before the time since which swaps are kept either', async () => {
    const reply = await server.request(`${list}?to=${sampleKeptSince - 1}`)
    expect(reply.status).toBe(200)
    const { paths: described } = await read('/api/v1/openapi.json')
    const { responses } = described['/api/v1/pools/{id}/liquidity'].get
    expect(Object.keys(responses)).toContain('409')
    expect(Object.keys(responses)).not.toContain('410')
  })

  test.each([
    [sampleReadSince - 1, false],
    [sampleReadSince, true],
  ])('from %i on it is complete: %s', async (from, complete) => {
    expect(await read(`${list}?from=${from}`)).toMatchObject({ complete, asOfBlock: 7 })
  })
})

test('a v3 change has an owner, a v4 change a sender and a salt', async () => {
  const [v3, v4] = await Promise.all(paths.map(read))
  expect(v3.items[0]).toMatchObject({ owner: expect.any(String), sender: null, salt: null })
  const ofV4 = { owner: null, sender: expect.any(String), salt: expect.any(String) }
  expect(v4.items[0]).toMatchObject(ofV4)
})

test.each([
  ['limit=0', 'limit'],
  ['limit=1001', 'limit'],
  ['from=2&to=1', 'from'],
  ['order=up', 'order'],
  ['side=buy', 'side'],
])('?%s is refused by the name of %s', async (query, param) => {
  for (const list of paths) {
    expect(await errorOf(`${list}?${query}`)).toMatchObject({ status: 400, param })
  }
})

test('an unknown pool is 404', async () => {
  const error = await errorOf(pathOf(`0x${'9'.repeat(40)}`))
  expect(error).toMatchObject({ status: 404, code: 'pool_not_found' })
})
