import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startServer, type TestServer } from '../../../test/support/api/harness.ts'
import { samplePools } from '../../../test/support/api/sample-market.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const id = samplePools[0]?.id
const path = `/api/v1/pools/${id}`

test('provenance takes the same moments', async () => {
  const reply = await server.request(`${path}/provenance?asOfBlock=300`)
  expect(server.market.queries.at(-1)).toEqual({ id, moment: { block: 300 } })
  expect(reply.json()).toMatchObject({ past: { block: 300, complete: true } })
  for (const [query, status, code] of [
    ['asOfTs=99', 404, 'record_not_found'],
    ['asOfBlock=150', 410, 'history_pruned'],
    ['asOfBlock=300&asOfTs=300', 400, 'invalid_parameter'],
  ] as const) {
    const refused = await server.request(`${path}/provenance?${query}`)
    expect([query, refused.status, refused.json().error.code]).toEqual([query, status, code])
  }
  expect((await server.request(`${path}/provenance`)).json()).toMatchObject({ past: null })
})

describe('a pool as of a block', () => {
  test.each([
    ['asOfBlock=24880412', { block: 24_880_412 }],
    ['asOfTs=1795215600', { ts: 1_795_215_600 }],
  ])('?%s reaches the market', async (query, moment) => {
    const reply = await server.request(`${path}?range=7d&${query}`)
    expect(server.market.queries.at(-1)).toEqual({ id, range: '7d', moment })
    const [at] = Object.values(moment)
    expect(reply.json()).toMatchObject({ pool: { id }, past: { block: at, complete: true } })
  })

  test('is another reply than about the last block, or about another one', async () => {
    const bodies = new Set<string>()
    for (const query of ['', '?asOfBlock=300', '?asOfBlock=301', '?asOfTs=302']) {
      for (let times = 0; times < 2; times++) {
        bodies.add(JSON.stringify((await server.request(`${path}${query}`)).json()))
      }
    }
    expect(bodies.size).toBe(4)
    expect((await server.request(path)).json()).toMatchObject({ past: null })
  })

  test.each([
    ['asOfBlock=20000000000', 404, 'record_not_found', 'asOfBlock', 'after the last indexed block'],
    ['asOfTs=20000000000', 404, 'record_not_found', 'asOfTs', 'after the last indexed block'],
    ['asOfBlock=99', 404, 'record_not_found', 'asOfBlock', "before the pool's creation"],
    ['asOfTs=99', 404, 'record_not_found', 'asOfTs', "before the pool's creation"],
    ['asOfBlock=150', 410, 'history_pruned', 'asOfBlock', 'oldest kept swap is of 200'],
    ['asOfTs=150', 410, 'history_pruned', 'asOfTs', 'oldest kept swap is of 200'],
    ['asOfBlock=300&asOfTs=300', 400, 'invalid_parameter', 'asOfTs', 'absent if asOfBlock'],
    ['asOfBlock=-1', 400, 'invalid_parameter', 'asOfBlock', 'must be an integer'],
    ['asOfBlock=0x10', 400, 'invalid_parameter', 'asOfBlock', 'must be an integer'],
    ['asOfBlock=', 400, 'invalid_parameter', 'asOfBlock', 'must be an integer'],
    ['asOfTs=253402300800', 400, 'invalid_parameter', 'asOfTs', 'must be an integer'],
  ])('?%s is %i %s', async (query, status, code, param, text) => {
    const reply = await server.request(`${path}?${query}`)
    expect([reply.status, reply.json().error.code]).toEqual([status, code])
    expect(reply.json().error).toMatchObject({ param, message: expect.stringContaining(text) })
  })

  test('of an unknown pool is 404', async () => {
    const reply = await server.request(`/api/v1/pools/0x${'9'.repeat(40)}?asOfBlock=300`)
    expect([reply.status, reply.json().error.code]).toEqual([404, 'pool_not_found'])
  })
})
