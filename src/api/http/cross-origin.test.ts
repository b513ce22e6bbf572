import { describe, expect, test } from 'vitest'
import { startForTest } from '../../../test/support/api/harness.ts'
import { catalogue } from '../catalogue.ts'

const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })

type Server = Awaited<ReturnType<typeof startForTest>>

const ask = (server: Server, headers: Readonly<Record<string, string>>, method = 'POST') =>
  server.request('/mcp', {
    method,
    ...(method === 'POST' ? { body: ping } : {}),
    headers: {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      ...headers,
    },
  })

const corsHeadersOf = (headers: Readonly<Record<string, unknown>>) =>
  Object.keys(headers).filter((name) => name.startsWith('access-control-'))

/** Bound to loopback by default. */
const start = (allowedOrigins: readonly string[] = []) => startForTest({ allowedOrigins })

describe('MCP on a loopback address', () => {
  test.each([
    ['http://localhost'],
    ['http://localhost:3000'],
    ['https://127.0.0.1:8443'],
    ['http://127.8.9.1'],
    ['http://[::1]:5173'],
  ])('serves pages of the origin %s', async (origin) => {
    const { status, headers } = await ask(await start(), { origin })
    expect(status).toBe(200)
    expect([headers['access-control-allow-origin'], headers.vary]).toEqual([origin, 'origin'])
  })

  test.each([
    ['http://evil.example'],
    ['https://evil.example:8787'],
    ['http://localhost.evil.example'],
    ['http://127.0.0.1.evil.example'],
    ['http://evil.example@localhost'],
    ['http://localhost/'],
    ['http://localhost, http://evil.example'],
    ['http://10.0.0.1'],
    ['http://[::2]'],
    ['file://localhost'],
    ['null'],
    ['*'],
    [''],
  ])('answers 403 to the origin %j', async (origin) => {
    const server = await start()
    for (const method of ['POST', 'OPTIONS', 'GET']) {
      const { status, headers, text } = await ask(server, { origin }, method)
      expect([method, status]).toEqual([method, 403])
      expect(corsHeadersOf(headers)).toEqual([])
      expect(JSON.parse(text).error.code).toBe('forbidden')
    }
  })

  test('serves programs, which send no origin, without a CORS header', async () => {
    const { status, headers } = await ask(await start(), {})
    expect([status, corsHeadersOf(headers)]).toEqual([200, []])
  })

  test.each(['evil.example', 'evil.example:8787', '10.0.0.1', '127.0.0.1.evil.example', '[::2]'])(
    'answers 403 to the host %s, with and without an origin',
    async (host) => {
      const server = await start()
      for (const headers of [{ host }, { host, origin: `http://${host}` }]) {
        const { status, text } = await ask(server, headers)
        expect([status, JSON.parse(text).error.code]).toEqual([403, 'forbidden'])
      }
    },
  )

  test.each(['localhost', 'LOCALHOST:8787', '127.0.0.1', '127.5.5.5:1', '[::1]:8787'])(
    'serves the host %s',
    async (host) => {
      expect((await ask(await start(), { host })).status).toBe(200)
    },
  )

  test('answers a preflight of an allowed origin', async () => {
    const origin = 'http://localhost:3000'
    const { status, headers } = await ask(await start(), { origin }, 'OPTIONS')
    expect(status).toBe(204)
    expect(headers).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-allow-methods': 'POST, OPTIONS',
      'access-control-allow-headers': '*',
    })
  })
})

describe('--allowed-origins', () => {
  const app = 'https://app.example'

  test('allows these origins, and their hosts, besides loopback', async () => {
    const server = await start([app])
    const statusOf = async (headers: Record<string, string>) => (await ask(server, headers)).status
    expect(await statusOf({ origin: app })).toBe(200)
    expect(await statusOf({ host: 'app.example', origin: app })).toBe(200)
    expect(await statusOf({ host: 'app.example' })).toBe(200)
    expect(await statusOf({ origin: 'http://localhost' })).toBe(200)
    expect(await statusOf({ origin: 'http://app.example' })).toBe(403)
    expect(await statusOf({ origin: 'https://app.example:8443' })).toBe(403)
    expect(await statusOf({ origin: 'https://x.app.example' })).toBe(403)
  })

  test('* allows every origin and host', async () => {
    const server = await start(['*'])
    const { status, headers } = await ask(server, { host: 'a.example', origin: 'null' })
    expect([status, headers['access-control-allow-origin']]).toEqual([200, '*'])
  })
})

test('on any other address the origin of the same host is allowed, by any host name', async () => {
  const server = await startForTest({ allowedOrigins: [] }, '0.0.0.0')
  const statusOf = async (headers: Record<string, string>) => (await ask(server, headers)).status
  expect(await statusOf({ host: 'pools.example' })).toBe(200)
  expect(await statusOf({ host: 'pools.example', origin: 'https://pools.example' })).toBe(200)
  expect(await statusOf({ host: 'pools.example:443', origin: 'https://pools.example' })).toBe(200)
  expect(await statusOf({ host: 'pools.example', origin: 'https://pools.example:8443' })).toBe(403)
  expect(await statusOf({ host: 'pools.example', origin: 'https://evil.example' })).toBe(403)
})

test('every other path may be read by every origin, except the metrics by none', async () => {
  const server = await start()
  const headers = { origin: 'http://evil.example', host: 'evil.example' }
  const paths = Object.values(catalogue)
    .flat()
    .map(({ path }) => path.replace(/:[a-zA-Z]+/g, 'NVDA'))
    .filter((path) => path !== '/mcp' && path !== '/api/v1/stream')
  expect(paths.length).toBeGreaterThan(15)
  for (const path of paths) {
    for (const method of ['GET', 'HEAD', 'OPTIONS', 'POST']) {
      const reply = await server.request(path, { method, headers })
      const cors = corsHeadersOf(reply.headers)
      if (path === '/metrics') expect([path, method, cors]).toEqual([path, method, []])
      else expect(reply.headers['access-control-allow-origin']).toBe('*')
    }
  }
  const { headers: ofMetrics } = await server.request('/metrics')
  expect(ofMetrics['cross-origin-resource-policy']).toBe('same-origin')
})
