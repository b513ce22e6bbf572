import { afterAll, beforeAll, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../../test/support/api/harness.ts'
import { samplePools } from '../../../test/support/api/sample-market.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const id = samplePools[0]?.id
const path = `/api/v1/pools/${id}/quote`
const huge = 2n ** 256n

it.each([
  ['stockAmount=1.50', { of: 'stock', whole: { digits: 150n, decimals: 2 } }],
  ['otherAmount=007', { of: 'other', whole: { digits: 7n, decimals: 0 } }],
  ['stockAmountRaw=1', { of: 'stock', raw: 1n }],
  [`otherAmountRaw=${huge - 1n}`, { of: 'other', raw: huge - 1n }],
  ['usd=10000', { of: 'usd', usd: 10_000 }],
  ['usd=0.01', { of: 'usd', usd: 0.01 }],
])('asks the market for %s', async (query, amount) => {
  const reply = await server.request(`${path}?${query}&side=sell`)
  expect(reply.status).toBe(200)
  expect(server.market.queries.at(-1)).toEqual({ id, order: { side: 'sell', amount } })
})

it.each([
  ['', 'side'],
  ['usd=1', 'side'],
  ['side=&usd=1', 'side'],
  ['side=BUY&usd=1', 'side'],
  ['side=buy&side=buy&usd=1', 'side'],
  ['side=buy', 'stockAmount,otherAmount,stockAmountRaw,otherAmountRaw,usd'],
  ['side=buy&usd=1&stockAmount=1', 'stockAmount,usd'],
  ['side=buy&otherAmountRaw=1&otherAmount=1&usd=1', 'otherAmount,otherAmountRaw,usd'],
  ...[
    '0',
    '0.0',
    '-1',
    '+1',
    '1e3',
    '.5',
    '1.',
    '1,5',
    'NaN',
    'Infinity',
    '',
    '0x1',
    '%201',
  ].flatMap((text): [string, string][] => [
    [`side=buy&stockAmount=${text}`, 'stockAmount'],
    [`side=buy&otherAmount=${text}`, 'otherAmount'],
    [`side=buy&usd=${text}`, 'usd'],
  ]),
  ...['0', '-1', '1.0', '1e3', '', '0x1', `${huge}`, '9'.repeat(79)].flatMap(
    (text): [string, string][] => [
      [`side=buy&stockAmountRaw=${text}`, 'stockAmountRaw'],
      [`side=buy&otherAmountRaw=${text}`, 'otherAmountRaw'],
    ],
  ),
  [`side=buy&stockAmount=0.${'0'.repeat(36)}1`, 'stockAmount'],
  // The sample's tokens have six decimals.
  ['side=buy&stockAmount=0.0000001', 'stockAmount'],
  ['side=buy&usd=1000000000000001', 'usd'],
])('rejects ?%s and names %s', async (query, param) => {
  const reply = await server.request(`${path}?${query}`)
  expect(reply.status).toBe(400)
  expect(reply.json().error).toMatchObject({ code: 'invalid_parameter', param })
})

it('says what to give', async () => {
  const detailOf = async (query: string) => (await server.request(`${path}?${query}`)).json().detail
  const names = 'stockAmount, otherAmount, stockAmountRaw, otherAmountRaw, usd'
  expect(await detailOf('side=buy')).toBe(`exactly one of ${names} must be given`)
  expect(await detailOf('side=buy&usd=1&stockAmount=1')).toBe(
    `exactly one of ${names} must be given, not stockAmount and usd`,
  )
  expect(await detailOf('usd=1')).toBe('side must be one of buy, sell')
  expect(await detailOf('side=buy&otherAmount=0.0000001')).toBe(
    'otherAmount must be a number with at most the 6 decimals of the token',
  )
})

it('has no answer for an unknown pool', async () => {
  const reply = await server.request(`/api/v1/pools/0x${'b'.repeat(40)}/quote?side=buy&usd=1`)
  expect([reply.status, reply.json().error.code]).toEqual([404, 'pool_not_found'])
})

it('requires the side in the OpenAPI document, and no amount', async () => {
  const document = (await server.request('/api/v1/openapi.json')).json()
  const { parameters } = document.paths['/api/v1/pools/{id}/quote'].get
  const required = parameters.filter((each: { required: boolean }) => each.required)
  expect(required.map(({ name }: { name: string }) => name)).toEqual(['id', 'side'])
})

it('returns the depth with the segments asked for, by default those near the price', async () => {
  const depthPath = `/api/v1/pools/${id}/depth`
  for (const [query, segments] of [
    ['', 'near'],
    ['?segments=all', 'all'],
    ['?segments=none', 'none'],
  ]) {
    const reply = await server.request(`${depthPath}${query}`)
    expect([reply.status, reply.json().depth.bands.length]).toEqual([200, 1])
    expect(server.market.queries.at(-1)).toEqual({ id, segments })
  }
  const wrong = await server.request(`${depthPath}?segments=some`)
  expect(wrong.json().error).toMatchObject({ code: 'invalid_parameter', param: 'segments' })
  const unknown = await server.request(`/api/v1/pools/0x${'b'.repeat(40)}/depth`)
  expect([unknown.status, unknown.json().error.code]).toEqual([404, 'pool_not_found'])
})
