import { describe, expect, it } from 'vitest'
import {
  buildServer,
  startForTest,
  startServer,
  type TestServer,
} from '../../test/support/api/harness.ts'
import { createSampleMarket } from '../../test/support/api/sample-market.ts'
import type { Market } from '../market/market.ts'
import { serverLimits } from './http/limits.ts'

const askMany = async (server: TestServer, count: number, forwardedFor?: string) => {
  const headers = forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor }
  const statuses: number[] = []
  for (let asked = 0; asked < count; asked++) {
    statuses.push((await server.request('/api/v1/health', { headers })).status)
  }
  return statuses.filter((status) => status === 200).length
}

describe('120 requests a minute with a burst of 30', () => {
  it('allows 30, rejects the next with the time to wait, then allows 2 per second', async () => {
    const server = await startForTest({ rateLimitPerMinute: 120 })
    expect(await askMany(server, 30)).toBe(30)
    const refused = await server.request('/api/v1/health')
    expect(refused.status).toBe(429)
    expect(refused.headers).toMatchObject({
      'retry-after': '1',
      'ratelimit-policy': '"client";q=120;w=60;burst=30',
      ratelimit: '"client";r=0;t=15',
      'x-ratelimit-limit': '120',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': '15',
      'access-control-allow-origin': '*',
    })
    expect(refused.headers['access-control-expose-headers']).toContain('Retry-After')
    expect(refused.json().error.code).toBe('rate_limited')
    server.clock.ts += 3
    expect(await askMany(server, 10)).toBe(6)
  })

  it('counts every request except probes', async () => {
    const server = await startForTest({ rateLimitPerMinute: 120 })
    const paths = ['/api/v1', '/nope', '/api/v1/pools?limit=0', '/api/v1/pools/x', '/api/v1/pools']
    for (const path of paths) {
      for (const method of ['GET', 'HEAD', 'POST', 'OPTIONS'])
        await server.request(path, { method })
    }
    const last = await server.request('/api/v1')
    expect(last.headers['x-ratelimit-remaining']).toBe(String(30 - paths.length * 4 - 1))
    for (let asked = 0; asked < 40; asked++) {
      for (const path of ['/healthz', '/readyz']) {
        const probe = await server.request(path)
        expect(probe.status).toBe(200)
        expect(probe.headers).not.toHaveProperty('ratelimit')
      }
    }
  })

  it('is disabled at 0', async () => {
    const server = await startForTest({ rateLimitPerMinute: 0 })
    expect(await askMany(server, 200)).toBe(200)
    expect((await server.request('/api/v1')).headers).not.toHaveProperty('ratelimit-policy')
  })

  it('limits the burst to the rate', async () => {
    const server = await startForTest({ rateLimitPerMinute: 5 })
    expect(await askMany(server, 10)).toBe(5)
    expect((await server.request('/api/v1')).headers['retry-after']).toBe('12')
  })
})

describe('X-Forwarded-For', () => {
  it('is ignored from an untrusted peer', async () => {
    const server = await startForTest({ rateLimitPerMinute: 30, trustedProxies: ['10.0.0.0/8'] })
    expect(await askMany(server, 20, '198.51.100.1')).toBe(20)
    expect(await askMany(server, 20, '198.51.100.2')).toBe(10)
  })

  it('separates clients behind a trusted proxy', async () => {
    const server = await startForTest({ rateLimitPerMinute: 30, trustedProxies: ['127.0.0.0/8'] })
    expect(await askMany(server, 40, '198.51.100.1')).toBe(30)
    expect(await askMany(server, 40, '198.51.100.2')).toBe(30)
    expect(await askMany(server, 40, '203.0.113.5, 198.51.100.2')).toBe(0)
    expect(await askMany(server, 40, '2001:db8:1:2::1')).toBe(30)
    expect(await askMany(server, 40, '2001:db8:1:2:ffff::9')).toBe(0)
    expect(await askMany(server, 40, '2001:db8:1:3::1')).toBe(30)
  })
})

describe('listening', () => {
  it('returns the base URL, also for port 0', async () => {
    const { server } = buildServer()
    expect(server.address()).toBeNull()
    const listening = await server.listen({ host: '127.0.0.1', port: 0 })
    expect(listening).toEqual({ ok: true, value: server.address() })
    expect(server.address()).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d*$/)
    await server.close()
    expect(server.address()).toBeNull()
  })

  it('brackets an IPv6 address in the base URL', async () => {
    const { server } = buildServer()
    const listening = await server.listen({ host: '::1', port: 0 })
    expect(listening).toMatchObject({ value: expect.stringMatching(/^http:\/\/\[::1\]:\d+$/) })
    await server.close()
  })

  it('fails with one line if the port is in use', async () => {
    const { port } = await startForTest()
    const { server } = buildServer()
    const detail = `cannot listen on 127.0.0.1:${port}: the port is in use`
    expect(await server.listen({ host: '127.0.0.1', port })).toEqual({
      ok: false,
      fault: { kind: 'port-in-use', detail },
    })
    await server.close()
  })

  it.each(['192.0.2.1', 'host.invalid'])('fails with one line at %s', async (host) => {
    const { server } = buildServer()
    expect(await server.listen({ host, port: 0 })).toMatchObject({
      ok: false,
      fault: { kind: 'no-such-address' },
    })
    await server.close()
  })
})

const createSlowMarket = () => {
  const asked = Promise.withResolvers<void>()
  const answered = Promise.withResolvers<void>()
  const market: Market = {
    ...createSampleMarket(),
    stocks: async ({ limit, offset }) => {
      asked.resolve()
      await answered.promise
      return { items: [], total: 0, limit, offset }
    },
  }
  return { market, asked: asked.promise, answer: answered.resolve }
}

it('says that the store is slow before the connection would end', async () => {
  expect(serverLimits.answerMsMax).toBeLessThan(serverLimits.idleMsMax)
  const { market, answer } = createSlowMarket()
  const server = await startForTest({ market, limits: { answerMsMax: 50 } })
  const reply = await server.request('/api/v1/stocks')
  expect([reply.status, reply.headers['retry-after']]).toEqual([503, '2'])
  expect(reply.json()).toMatchObject({
    detail: 'the store has not answered in time; list endpoints still work',
    error: { code: 'not_ready' },
  })
  answer()
  expect((await server.request('/api/v1/stocks')).status).toBe(200)
})

describe('closing', () => {
  it('waits for a running request and accepts no new connection', async () => {
    const { market, asked, answer } = createSlowMarket()
    // Nothing is cut off: closing ends by itself once the request has.
    const server = await startServer({ market, limits: { closeMsMax: 3_600_000 } })
    const running = server.request('/api/v1/stocks')
    await asked
    const closed = server.close()
    const outcome = () => server.request('/healthz').catch(({ code }) => code)
    await expect.poll(outcome).toBe('ECONNREFUSED')
    answer()
    const reply = await running
    expect([reply.status, reply.headers.connection]).toEqual([200, 'close'])
    await closed
  })

  it('waits at most closeMsMax', async () => {
    const { market, asked } = createSlowMarket()
    const server = await startServer({ market, limits: { closeMsMax: 200 } })
    const running = expect(server.request('/api/v1/stocks')).rejects.toThrow('socket hang up')
    await asked
    await server.close()
    await running
  })
})
