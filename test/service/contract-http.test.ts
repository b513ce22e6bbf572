import { beforeAll, describe, expect, test } from 'vitest'
import type { PoolView } from '../../src/domain/views/pool.ts'
import { createApi, eventually, type Page } from './api.ts'
import { misfits } from './shape.ts'
import { problemShape } from './shapes.ts'
import { baseUrl } from './shared.ts'

const api = createApi(baseUrl)

/** Stands for the id of a pool that there is. */
const someId = '0xSOME'
let id = ''

beforeAll(async () => {
  const page = await api.read<Page<PoolView>>('/api/v1/pools?limit=1')
  id = page.items[0]?.id ?? ''
})

const at = (path: string): string => path.replace(someId, id)

const dataPaths = [
  '/api/v1/pools',
  `/api/v1/pools/${someId}`,
  '/api/v1/stocks',
  '/api/v1/stocks/NVDA',
]
const livePaths = ['/api/v1', '/api/v1/health', '/api/v1/status', '/healthz', '/readyz']
const paths = [...dataPaths, ...livePaths]

describe.each(paths)('%s', (path) => {
  test('answers GET with JSON, CORS and cache headers', async () => {
    const { status, headers, text } = await api.ask(at(path))
    expect(status).toBe(200)
    expect(() => JSON.parse(text)).not.toThrow()
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.get('access-control-allow-credentials')).toBeNull()
    const isData = dataPaths.includes(path)
    const data = 'public, max-age=2, stale-while-revalidate=10'
    expect(headers.get('cache-control')).toBe(isData ? data : 'no-store')
    if (isData) expect(headers.get('etag')).toMatch(/^"[^"]+"$/)
    else expect(headers.get('etag')).toBeNull()
  })

  test('names its block, equal to that of the body', async () => {
    const { headers, text } = await api.ask(at(path))
    const [block, hash] = [headers.get('x-as-of-block'), headers.get('x-as-of-hash')]
    if (!dataPaths.includes(path)) {
      expect([block, hash]).toEqual([null, null])
      return
    }
    expect(Number(block)).toBeGreaterThan(0)
    expect(hash).toMatch(/^0x[0-9a-f]{64}$/)
    for (const [, inBody] of text.matchAll(/"asOfBlock":(\d+)/g)) expect(inBody).toBe(block)
  })

  test('answers HEAD like GET, without a body', async () => {
    const { status, headers, text } = await api.ask(at(path), { method: 'HEAD' })
    expect([status, text]).toEqual([200, ''])
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(Number(headers.get('content-length'))).toBeGreaterThan(0)
  })

  test('answers OPTIONS with the allowed methods', async () => {
    const { status, headers, text } = await api.ask(at(path), { method: 'OPTIONS' })
    expect([status, text]).toEqual([204, ''])
    expect(headers.get('allow')).toBe('GET, HEAD, OPTIONS')
    expect(headers.get('access-control-allow-methods')).toBe('GET, HEAD, OPTIONS')
    expect(headers.get('access-control-allow-origin')).toBe('*')
  })

  test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND'])('rejects %s', async (method) => {
    const body = method === 'DELETE' ? null : '{"limit":1}'
    const { status, headers, text } = await api.ask(at(path), { method, body })
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
    const problem = JSON.parse(text) as { error: { code: string } }
    expect(misfits(problemShape, problem, 'problem')).toEqual([])
    expect(problem.error.code).toBe('method_not_allowed')
  })
})

// The block, and with it every row, changes four times a second: now and then nothing has moved.
test.each(dataPaths)('%s returns 304 for a matching ETag', async (path) => {
  const askTwice = async () => {
    const etag = (await api.ask(at(path))).headers.get('etag') ?? ''
    const again = await api.ask(at(path), { headers: { 'if-none-match': `"other", ${etag}` } })
    expect([200, 304]).toContain(again.status)
    return { etag, again }
  }
  const { etag, again } = await eventually(askTwice, (twice) => twice.again.status === 304, {
    waitMs: 0,
  })
  expect(again.text).toBe('')
  expect(again.headers.get('etag')).toBe(etag)
})

test('returns the body for another ETag', async () => {
  const headers = { 'if-none-match': '"of-another-time"' }
  const { status, text } = await api.ask('/api/v1/pools?limit=1', { headers })
  expect(status).toBe(200)
  expect(text).toContain('"items"')
})

test.each([
  ['/api', 404, 'not_found'],
  ['/api/v1/nothing', 404, 'not_found'],
  ['/api/v1/pools/', 404, 'not_found'],
  [`/api/v1/pools/${someId}/nothing`, 404, 'not_found'],
  ['/api/v1/Pools', 404, 'not_found'],
  ['/api/v2/pools', 404, 'not_found'],
  [`/api/v1/pools?q=${'a'.repeat(9000)}`, 414, 'uri_too_long'],
] as const)('%s', async (path, status, code) => {
  const reply = await api.ask(at(path))
  expect(reply.status).toBe(status)
  expect(reply.headers.get('content-type')).toBe('application/problem+json')
  expect(reply.headers.get('cache-control')).toBe('no-store')
  const problem = JSON.parse(reply.text) as { status: number; error: { code: string } }
  expect(misfits(problemShape, problem, 'problem')).toEqual([])
  expect([problem.status, problem.error.code]).toEqual([status, code])
})

test('rejects oversized headers', async () => {
  const reply = await api.ask('/api/v1/health', { headers: { cookie: 'c'.repeat(20_000) } })
  expect(reply.status).toBe(431)
  expect(JSON.parse(reply.text)).toMatchObject({ error: { code: 'headers_too_large' } })
})
