import { IsObject, type TObject } from 'typebox'
import { Compile } from 'typebox/compile'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type HttpReply,
  startForTest,
  startServer,
  type TestServer,
} from '../../test/support/api/harness.ts'
import { sampleFeedBlock } from '../../test/support/api/sample-feed.ts'
import { samplePools, sampleStocks } from '../../test/support/api/sample-market.ts'
import type { PoolView } from '../domain/views/pool.ts'
import { catalogue } from './catalogue.ts'
import type { Endpoint } from './routes/route.ts'

const { rawRoutes, textRoutes, endpoints } = catalogue

const [canonicalPool, v4Pool] = samplePools
const poolPath = `/api/v1/pools/${canonicalPool?.id}`
const quotePath = `${poolPath}/quote?side=buy&usd=1000`
const depthPath = `${poolPath}/depth`
const rangesPath = `${poolPath}/ranges?lower=150&upper=250`
const provenancePath = `${poolPath}/provenance`
const candlesPath = `${poolPath}/candles?width=1h`
const swapsPath = `${poolPath}/swaps`
const liquidityPath = `${poolPath}/liquidity`
const stockPath = '/api/v1/stocks/NVDA'
const stockQuotePath = `${stockPath}/quote?side=sell&stockAmount=1.5`
const stockCandlesPath = `${stockPath}/candles?width=1d`
const stockSwapsPath = `${stockPath}/swaps?minUsd=1.5`
const stockDepthPath = `${stockPath}/depth`

const { stockAddress, otherAddress, id: canonicalId } = canonicalPool as PoolView
const ticker = `${stockAddress}_${otherAddress}_${canonicalId}`

/** One good request per endpoint. */
const dataPaths = [
  '/api/v1/pools',
  poolPath,
  quotePath,
  depthPath,
  rangesPath,
  candlesPath,
  swapsPath,
  liquidityPath,
  provenancePath,
  '/api/v1/stocks',
  stockPath,
  stockQuotePath,
  stockDepthPath,
  stockCandlesPath,
  stockSwapsPath,
  '/api/v1/swaps',
  '/api/v1/resolve?q=NVDA',
  `/api/v1/prices?addresses=0x${'a'.repeat(40)}`,
  '/integrations/dexscreener/latest-block',
  `/integrations/dexscreener/asset?id=${canonicalPool?.token0}`,
  `/integrations/dexscreener/pair?id=${canonicalPool?.id}`,
  '/integrations/coingecko/pairs?limit=2',
  '/integrations/coingecko/tickers',
  `/integrations/coingecko/orderbook?ticker_id=${ticker}&depth=4`,
  `/integrations/coingecko/historical_trades?ticker_id=${ticker}&type=buy`,
  `/integrations/dexscreener/events?fromBlock=${sampleFeedBlock - 1}&toBlock=${sampleFeedBlock}`,
]
const paths = [
  '/api/v1',
  '/api/v1/health',
  '/api/v1/status',
  '/api/v1/methodology',
  '/api/v1/files',
  ...dataPaths,
  '/healthz',
  '/readyz',
]
const withQuery = (path: string, query: string) =>
  `${path}${path.includes('?') ? '&' : '?'}${query}`
const plainPaths = paths.filter((path) => !dataPaths.includes(path))

const endpointOf = (path: string): Endpoint => {
  const [endpoint] = endpoints.filter((each) =>
    new RegExp(`^${each.path.replace(/:\w+/, '[^/]+')}$`).test(path.replace(/\?.*/, '')),
  )
  if (endpoint === undefined || !IsObject(endpoint.schema)) throw new Error(`no schema: ${path}`)
  return endpoint
}
const schemaOf = (path: string): TObject => endpointOf(path).schema

/** A bare list as the record that its schema describes. */
const recordIn = (path: string, reply: HttpReply) =>
  endpointOf(path).isBareList ? { items: reply.json() } : reply.json()

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

describe.each(paths)('%s', (path) => {
  it('returns JSON that matches its schema', async () => {
    const reply = await server.request(path)
    expect(reply.status).toBe(200)
    expect(reply.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(Compile(schemaOf(path)).Errors(recordIn(path, reply))).toEqual([])
  })

  it('has the properties in the order of the schema', async () => {
    const reply = await server.request(path)
    expect(Object.keys(recordIn(path, reply))).toEqual(Object.keys(schemaOf(path).properties))
  })

  it('sends the security headers and allows every origin', async () => {
    const { headers } = await server.request(path, { headers: { origin: 'https://example.org' } })
    expect(headers).toMatchObject({
      'access-control-allow-origin': '*',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'cross-origin-resource-policy': 'cross-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    })
    expect(headers).not.toHaveProperty('access-control-allow-credentials')
    expect(headers).not.toHaveProperty('server')
    expect(headers).not.toHaveProperty('x-powered-by')
    expect(headers).not.toHaveProperty('set-cookie')
  })

  it('names its block in headers if it is of the index', async () => {
    const { headers } = await server.request(path)
    const isOfIndex = dataPaths.includes(path)
    expect('x-as-of-block' in headers).toBe(isOfIndex)
    expect('x-as-of-hash' in headers).toBe(isOfIndex)
    if (isOfIndex) expect(headers['access-control-expose-headers']).toContain('X-As-Of-Block')
  })

  it('answers HEAD with the headers of GET and no body', async () => {
    const { headers: got } = await server.request(path)
    const head = await server.request(path, { method: 'HEAD' })
    expect(head.status).toBe(200)
    expect(head.text).toBe('')
    expect({ ...head.headers, date: '' }).toEqual({ ...got, date: '' })
  })

  it('answers OPTIONS and CORS preflight requests', async () => {
    const reply = await server.request(path, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://example.org',
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'if-none-match',
      },
    })
    expect([reply.status, reply.text]).toEqual([204, ''])
    expect(reply.headers).toMatchObject({
      allow: 'GET, HEAD, OPTIONS',
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, HEAD, OPTIONS',
      'access-control-allow-headers': '*',
    })
    expect(reply.headers).not.toHaveProperty('access-control-allow-credentials')
  })

  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'QUERY', 'PROPFIND', 'PURGE', 'M-SEARCH'])(
    'answers %s with 405 and Allow',
    async (method) => {
      const reply = await server.request(path, { method })
      expect(reply.status).toBe(405)
      expect(reply.headers.allow).toBe('GET, HEAD, OPTIONS')
      expect(reply.json()).toMatchObject({ error: { code: 'method_not_allowed' } })
    },
  )

  it.each(['x=1', 'Limit=1', 'callback=f', '__proto__=1', '=', '%zz'])(
    'refuses ?%s by name',
    async (query) => {
      const reply = await server.request(withQuery(path, query))
      expect(reply.status).toBe(400)
      expect(reply.json().error).toMatchObject({
        code: 'unknown_parameter',
        param: query.replace(/=.*/, ''),
      })
    },
  )

  it('accepts an empty query', async () => {
    expect((await server.request(withQuery(path, ''))).status).toBe(200)
  })

  it('does not exist with a trailing slash', async () => {
    const reply = await server.request(path.replace(/\?|$/, '/$&'))
    expect([reply.status, reply.json().error.code]).toEqual([404, 'not_found'])
  })
})

describe('a pool', () => {
  it('is found by its id in any case, v3 and v4', async () => {
    for (const id of [canonicalPool?.id, v4Pool?.id]) {
      const shouted = `0x${id?.slice(2).toUpperCase()}`
      const reply = await server.request(`/api/v1/pools/${shouted}`)
      expect(reply.json().pool.id).toBe(id)
    }
  })

  it('has the range 24h by default', async () => {
    await server.request(poolPath)
    expect(server.market.queries.at(-1)).toEqual({ id: canonicalPool?.id, range: '24h' })
    for (const range of ['1h', '6h', '24h', '7d', '30d', '90d', 'all']) {
      expect((await server.request(`${poolPath}?range=${range}`)).status).toBe(200)
      expect(server.market.queries.at(-1)).toMatchObject({ range })
    }
  })

  it.each(['', '24H', '1d', '24h%20', 'All', '__proto__', '24h,7d'])(
    'has no range %j',
    async (range) => {
      const reply = await server.request(`${poolPath}?range=${range}`)
      expect(reply.status).toBe(400)
      expect(reply.json().error).toMatchObject({ code: 'invalid_parameter', param: 'range' })
    },
  )

  it.each([
    '0x',
    '0x1234',
    'NVDA',
    `0X${'a'.repeat(40)}`,
    'a'.repeat(42),
    `0x${'a'.repeat(39)}`,
    `0x${'a'.repeat(41)}`,
    `0x${'a'.repeat(63)}`,
    `0x${'a'.repeat(65)}`,
    `0x${'g'.repeat(40)}`,
    `0x${'a'.repeat(40)}%20`,
    `0x${'a'.repeat(40)}%00`,
    `0x${'a'.repeat(40)}%0A`,
    `0x${'a'.repeat(39)}%2F`,
    `0x${'%EF%BD%81'.repeat(40)}`,
    '%zz',
    '%c0%80',
    '%00',
    '..%2f..',
    '__proto__',
    'a'.repeat(5_000),
  ])('has no id %s', async (id) => {
    const reply = await server.request(`/api/v1/pools/${id}`)
    expect(reply.status).toBe(400)
    expect(reply.json().error).toMatchObject({ code: 'invalid_pool_id', param: 'id' })
  })

  it.each([`0x${'b'.repeat(40)}`, `0x${'b'.repeat(64)}`])('is not found: %s', async (id) => {
    const reply = await server.request(`/api/v1/pools/${id}`)
    expect([reply.status, reply.json().error.code]).toEqual([404, 'pool_not_found'])
  })
})

describe('a stock', () => {
  const [nvda] = sampleStocks
  it.each(['NVDA', 'nvda', 'Nvda', nvda?.address, `0x${nvda?.address.slice(2).toUpperCase()}`])(
    'is found by %s',
    async (key) => {
      const reply = await server.request(`/api/v1/stocks/${key}?range=7d`)
      expect(reply.json().stock.symbol).toBe('NVDA')
      expect(server.market.queries.at(-1)).toMatchObject({ range: '7d' })
    },
  )

  it.each(['$NVDA', 'NV%20DA', 'A'.repeat(17), '%zz', '%00', '%c0%80', `0x${'a'.repeat(41)}`])(
    'has no name %s',
    async (key) => {
      const reply = await server.request(`/api/v1/stocks/${key}`)
      expect(reply.status).toBe(400)
      expect(reply.json().error).toMatchObject({ code: 'invalid_parameter', param: 'symbol' })
    },
  )

  it.each(['NOPE', 'constructor', `0x${'b'.repeat(40)}`])('is not found: %s', async (key) => {
    const reply = await server.request(`/api/v1/stocks/${key}`)
    expect([reply.status, reply.json().error.code]).toEqual([404, 'stock_not_found'])
  })
})

describe('the list of pools', () => {
  it('passes the query to the market and returns its page', async () => {
    const reply = await server.request('/api/v1/pools?symbol=nvda&limit=1&offset=1&order=asc')
    expect(server.market.queries.at(-1)).toMatchObject({ symbol: 'NVDA', limit: 1, order: 'asc' })
    expect(reply.json()).toMatchObject({ total: 2, limit: 1, offset: 1 })
    expect(reply.json().items.map((row: { id: string }) => row.id)).toEqual([samplePools[2]?.id])
  })

  it('is empty for an unknown ticker', async () => {
    const reply = await server.request('/api/v1/pools?symbol=NOPE')
    expect(reply.json()).toEqual({ items: [], total: 0, limit: 25, offset: 0 })
  })

  it('returns HTML in names as plain text', async () => {
    const reply = await server.request('/api/v1/pools?q=%3Cscript')
    expect(reply.json().items[0].otherSymbol).toBe('ÉMÈ <script>')
    expect(reply.headers['content-length']).toBe(String(Buffer.byteLength(reply.text)))
  })
})

describe('the index', () => {
  it('lists every endpoint with its parameters', async () => {
    const { endpoints: listed } = (await server.request('/api/v1')).json()
    expect(listed.map((each: { path: string }) => each.path)).toEqual(
      [...endpoints, ...textRoutes, ...rawRoutes].map(({ path }) => path),
    )
    expect(listed[5].parameters).toMatchObject([
      { name: 'id', in: 'path' },
      { name: 'range', in: 'query', rule: 'one of 1h, 6h, 24h, 7d, 30d, 90d, all' },
      { name: 'asOfBlock', in: 'query' },
      { name: 'asOfTs', in: 'query' },
    ])
  })

  it('has a notice in the sandbox only', async () => {
    expect((await server.request('/api/v1')).json()).toMatchObject({
      network: 'sandbox',
      sandbox: true,
      notice: expect.stringContaining('simulated'),
      explorerUrl: null,
    })
    const explorerUrl = 'https://explorer.example'
    const network = { name: 'robinhood', sandbox: false, explorerUrl }
    const live = await startForTest({ network })
    expect((await live.request('/api/v1')).json()).toMatchObject({
      network: 'robinhood',
      sandbox: false,
      notice: null,
      explorerUrl,
    })
  })
})

describe('caching', () => {
  it.each(plainPaths)('%s is not cacheable', async (path) => {
    const { headers } = await server.request(path)
    expect(headers['cache-control']).toBe('no-store')
    expect(headers).not.toHaveProperty('etag')
  })

  it.each(dataPaths)('%s is cacheable for two seconds and has a strong tag', async (path) => {
    const { headers } = await server.request(path)
    expect(headers['cache-control']).toBe('public, max-age=2, stale-while-revalidate=10')
    expect(headers.etag).toMatch(/^"[\w-]+"$/)
  })

  it.each(dataPaths)('%s responds 304 to a matching tag, for GET and HEAD', async (path) => {
    const { headers } = await server.request(path)
    const etag = headers.etag ?? ''
    for (const method of ['GET', 'HEAD']) {
      for (const has of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
        const reply = await server.request(path, { method, headers: { 'if-none-match': has } })
        expect([reply.status, reply.text, reply.headers.etag]).toEqual([304, '', etag])
        expect(reply.headers['cache-control']).toBe(headers['cache-control'])
        expect(reply.headers).not.toHaveProperty('content-length')
        expect(reply.headers).not.toHaveProperty('content-type')
      }
    }
    const other = await server.request(path, { headers: { 'if-none-match': '"x"' } })
    expect(other.status).toBe(200)
  })

  it('different bytes have different tags', async () => {
    const tags = await Promise.all(
      ['limit=1', 'limit=2', 'limit=1&offset=1'].map(
        async (query) => (await server.request(`/api/v1/pools?${query}`)).headers.etag,
      ),
    )
    expect(new Set(tags).size).toBe(3)
  })

  it('does not cache errors', async () => {
    const { headers } = await server.request('/api/v1/pools?limit=0', {
      headers: { 'if-none-match': '*' },
    })
    expect(headers['cache-control']).toBe('no-store')
    expect(headers).not.toHaveProperty('etag')
  })
})
