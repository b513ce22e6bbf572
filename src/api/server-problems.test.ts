import { Compile } from 'typebox/compile'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startForTest, startServer, type TestServer } from '../../test/support/api/harness.ts'
import { samplePools } from '../../test/support/api/sample-market.ts'
import { ProblemSchema } from './http/problem-schema.ts'

const poolPath = `/api/v1/pools/${samplePools[0]?.id}`
const dataPaths = ['/api/v1/pools', poolPath, '/api/v1/stocks', '/api/v1/stocks/NVDA']
const problems = Compile(ProblemSchema)

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

describe('an unknown path', () => {
  it.each([
    '/api',
    '/api/v1/',
    '/api/v2/pools',
    '/api/v1/pool',
    '/API/v1/pools',
    '/api/v1/Pools',
    '/api/v1//pools',
    '//api/v1/pools',
    '//host/api/v1/pools',
    '/api/v1/./pools',
    '/api/v1/../v1/pools',
    '/api/v1/pools/a/b',
    '/api/v1/pools%2F',
    '/api/v1/pools%00',
    '/api/v1/%zz',
    '/api/v1/%c0%80',
    '/%2e%2e/etc/passwd',
    '/api/v1/__proto__',
    '/constructor',
    '/robots.txt',
  ])('%s', async (path) => {
    for (const method of ['GET', 'HEAD', 'OPTIONS', 'POST']) {
      expect((await server.request(path, { method })).status).toBe(404)
    }
    const reply = await server.request(path)
    expect(problems.Errors(reply.json())).toEqual([])
    expect(reply.json()).toMatchObject({ instance: path, error: { code: 'not_found' } })
  })
})

describe('a problem', () => {
  it('is an RFC 9457 document with an error object', async () => {
    const reply = await server.request('/api/v1/pools?limit=0x10')
    expect(reply.status).toBe(400)
    expect(reply.headers['content-type']).toBe('application/problem+json')
    expect(problems.Errors(reply.json())).toEqual([])
    const message = 'limit must be an integer from 1 to 50 in decimal digits'
    expect(reply.json()).toEqual({
      type: 'urn:stockpools:error:invalid_parameter',
      title: 'Invalid parameter',
      status: 400,
      detail: message,
      instance: '/api/v1/pools',
      requestId: reply.headers['x-request-id'],
      error: { code: 'invalid_parameter', message, param: 'limit' },
    })
  })

  it('has a unique request id', async () => {
    const ids = await Promise.all(
      Array.from({ length: 20 }, async () => (await server.request('/nope')).json().requestId),
    )
    expect(new Set(ids).size).toBe(20)
  })

  it('of the service is 500 and logged with its stack, which no response contains', async () => {
    const own = await startForTest()
    own.market.readError = new Error('secret key in /home/x at https://rpc.example/key')
    for (const path of dataPaths) {
      const reply = await own.request(path)
      expect([reply.status, reply.headers['cache-control']]).toEqual([500, 'no-store'])
      expect(problems.Errors(reply.json())).toEqual([])
      expect(reply.text).not.toMatch(/secret|example|home|\.ts/)
      expect(own.logged.at(-1)).toEqual({
        message: 'Request failed',
        fields: {
          requestId: reply.json().requestId,
          method: 'GET',
          path,
          error: own.market.readError,
        },
      })
    }
    own.market.readError = null
    expect((await own.request(poolPath)).status).toBe(200)
  })
})

describe('before the first snapshot', () => {
  it('market data is 503 with Retry-After; health and status respond', async () => {
    const own = await startForTest()
    own.market.ready = false
    for (const path of [...dataPaths, '/readyz']) {
      const reply = await own.request(path)
      expect([reply.status, reply.headers['retry-after']]).toEqual([503, '2'])
      expect(problems.Errors(reply.json())).toEqual([])
      expect(reply.json().error.code).toBe('not_ready')
    }
    expect((await own.request('/api/v1/health')).json().ok).toBe(false)
    for (const path of ['/api/v1', '/api/v1/health', '/api/v1/status', '/healthz']) {
      expect((await own.request(path)).status).toBe(200)
    }
    expect((await own.request('/api/v1/pools?limit=0')).status).toBe(400)
    own.market.ready = true
    expect((await own.request('/readyz')).json()).toEqual({ ok: true })
  })
})
