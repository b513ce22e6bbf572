import { request } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { startForTest, type TestServerOptions } from '../../../test/support/api/harness.ts'

/* The fast path sends the same bytes until the market's version changes. */

const path = '/api/v1/pools?limit=25'

const startKeeping = async (parts: TestServerOptions = {}) => {
  const server = await startForTest(parts)
  server.market.revision = 'one'
  return server
}

/** The raw bytes of a response: a decoding client would hide what is tested here. */
const rawFetch = (port: number, headers: Readonly<Record<string, string>>) =>
  new Promise<{ head: string; body: Buffer }>((resolve, reject) => {
    const asking = request({ host: '127.0.0.1', port, path, headers, agent: false }, (reply) => {
      const chunks: Buffer[] = []
      reply.on('data', (chunk: Buffer) => chunks.push(chunk))
      reply.on('end', () => {
        const head = Object.entries(reply.headers).map(([name, value]) => `${name}: ${value}`)
        resolve({ head: head.join('\n'), body: Buffer.concat(chunks) })
      })
    })
    asking.on('error', reject)
    asking.end()
  })

test('computes the same target once per version', async () => {
  const { request, market } = await startKeeping()
  const first = await request(path)
  const second = await request(path)
  expect(second.text).toBe(first.text)
  expect(second.headers).toEqual({ ...first.headers, date: second.headers.date })
  expect(market.queries).toHaveLength(1)
  market.revision = 'two'
  await request(path)
  expect(market.queries).toHaveLength(2)
})

test('caches by the exact target', async () => {
  const { request, market } = await startKeeping()
  for (const target of [path, '/api/v1/pools?limit=25&', '/api/v1/pools']) await request(target)
  expect(market.queries).toHaveLength(3)
})

test('does not cache a response whose version is outdated', async () => {
  const { request, market } = await startKeeping()
  const { pools } = market
  const slow = (query: Parameters<typeof pools>[0]) => {
    market.revision = 'two'
    return pools(query)
  }
  Object.assign(market, { pools: slow })
  await request(path)
  Object.assign(market, { pools })
  await request(path)
  expect(market.queries).toHaveLength(2)
})

test('does not cache problems, errors and no-store responses', async () => {
  const { request, market } = await startKeeping()
  market.readError = new Error('no store')
  expect((await request(path)).status).toBe(500)
  market.readError = null
  expect((await request(path)).status).toBe(200)
  market.ready = false
  expect((await request('/api/v1/stocks')).status).toBe(503)
  market.ready = true
  expect((await request('/api/v1/stocks')).status).toBe(200)
  const health = await request('/api/v1/health')
  market.ready = false
  expect((await request('/api/v1/health')).text).not.toBe(health.text)
})

test('responds 304 on both paths', async () => {
  const { request } = await startKeeping()
  const { etag = '' } = (await request(path)).headers
  const again = await request(path, { headers: { 'if-none-match': etag } })
  expect([again.status, again.text, again.headers.etag]).toEqual([304, '', etag])
})

test('HEAD has the headers of GET', async () => {
  const { request } = await startKeeping()
  const { headers } = await request(path)
  const head = await request(path, { method: 'HEAD' })
  expect(head.headers).toEqual({ ...headers, date: head.headers.date })
  expect(head.text).toBe('')
})

test('counts fast-path requests against the same limit', async () => {
  const { request } = await startKeeping({ rateLimitPerMinute: 3 })
  const replies = [
    await request(path),
    await request(path),
    await request(path),
    await request(path),
  ]
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 429])
  expect(replies.map(({ headers }) => headers['x-ratelimit-remaining'])).toEqual([
    '2',
    '1',
    '0',
    '0',
  ])
})

test('does not read a body as the next request', async () => {
  const { raw, request } = await startKeeping()
  await request(path)
  const smuggled = 'GET /api/v1/stocks HTTP/1.1\r\nHost: a\r\n\r\n'
  const head = `GET ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: ${smuggled.length}\r\n\r\n`
  const { text } = await raw(head + smuggled)
  expect(text.match(/HTTP\/1\.1 /g)).toHaveLength(1)
})

test.each([
  ['gzip', 'gzip', gunzipSync],
  ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
  ['br;q=0, *', 'gzip', gunzipSync],
])('answers %s with %s, compressed once', async (accepted, coding, decompress) => {
  const { port, request } = await startKeeping()
  const plain = await request(path)
  const headers = { 'accept-encoding': accepted }
  const replies = await Promise.all(Array.from({ length: 3 }, () => rawFetch(port, headers)))
  for (const { body, head } of replies) {
    expect(head).toMatch(new RegExp(`content-encoding: ${coding}`, 'i'))
    expect(head).toMatch(/vary: accept-encoding/i)
    expect(head).not.toContain(plain.headers.etag)
    expect(decompress(body).toString()).toBe(plain.text)
  }
})

test.each([undefined, 'identity', 'gzip;q=0', 'br;q=0.000, gzip;q=0.0', 'zstd', ''])(
  'Accept-Encoding %s is answered as it is',
  async (accepted) => {
    const { request } = await startKeeping()
    const headers = accepted === undefined ? {} : { 'accept-encoding': accepted }
    const reply = await request(path, { headers })
    expect(reply.headers).not.toHaveProperty('content-encoding')
    expect(reply.json().items).toHaveLength(3)
  },
)
