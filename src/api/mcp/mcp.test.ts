import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { expect, onTestFinished, test } from 'vitest'
import { startForTest } from '../../../test/support/api/harness.ts'
import { samplePools } from '../../../test/support/api/sample-market.ts'

/* Asked by the official client, as an assistant would. */

const startConversation = async () => {
  const server = await startForTest()
  const client = new Client({ name: 'test', version: '1.0.0' })
  const transport = new StreamableHTTPClientTransport(
    new URL(`http://127.0.0.1:${server.port}/mcp`),
  )
  await client.connect(transport as Transport)
  onTestFinished(() => client.close())
  const call = async (name: string, input: Record<string, unknown> = {}) => {
    const { isError, content, structuredContent } = await client.callTool({
      name,
      arguments: input,
    })
    const [first] = content as { text: string }[]
    return { isError: isError ?? false, text: first?.text ?? '', value: structuredContent as never }
  }
  return { server, client, call }
}

test('tools are described, read-only, and have the parameters of the endpoints', async () => {
  const { client } = await startConversation()
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toEqual([
    'list_pools',
    'get_pool',
    'list_stocks',
    'get_stock',
    'quote',
    'depth',
    'explain',
    'candles',
    'quote_stock',
    'stock_depth',
    'stock_candles',
    'list_swaps',
    'list_liquidity_changes',
    'get_status',
  ])
  for (const { description, annotations, inputSchema } of tools) {
    expect(description?.length).toBeGreaterThan(60)
    expect(annotations?.readOnlyHint).toBe(true)
    expect(inputSchema.additionalProperties).toBe(false)
  }
  expect(tools[1]?.inputSchema.required).toEqual(['id'])
  expect(tools[4]?.inputSchema.required).toEqual(['id', 'side'])
  expect(client.getServerCapabilities()).toEqual({ tools: {} })
  expect(client.getInstructions()).toContain('identified by address')
})

test('explain is the provenance of one number', async () => {
  const { server, call } = await startConversation()
  const id = samplePools[0]?.id
  const { value } = await call('explain', { id, field: 'tick' })
  const reply = await server.request(`/api/v1/pools/${id}/provenance?field=tick`)
  expect(value).toMatchObject(reply.json() as object)
  const past = await call('explain', { id, field: 'tick', asOfBlock: 300 })
  expect(past.value).toMatchObject({ past: { block: 300 } })
  const { isError, text } = await call('explain', { id, field: 'nothing' })
  expect(isError).toBe(true)
  expect(text).toContain('field')
})

const pagePaths = [
  [{ side: 'buy', limit: 2 }, '/api/v1/swaps?side=buy&limit=2'],
  [{ symbol: 'NVDA', id: null }, '/api/v1/stocks/NVDA/swaps'],
  [{ id: samplePools[1]?.id, order: 'asc' }, `/api/v1/pools/${samplePools[1]?.id}/swaps?order=asc`],
] as const

test.each(pagePaths)('list_swaps %j lists what %s does', async (input, path) => {
  const { server, call } = await startConversation()
  const { value } = await call('list_swaps', input)
  const { asOf: _asOf, ...answer } = value as { readonly asOf: unknown }
  expect(answer).toEqual((await server.request(path)).json())
})

test('list_swaps takes a pool or a stock, not both', async () => {
  const { call } = await startConversation()
  const { isError, text } = await call('list_swaps', { id: samplePools[0]?.id, symbol: 'NVDA' })
  expect([isError, text]).toEqual([true, expect.stringContaining('it has side')])
})

test.each([
  ['list_pools', { kind: 'meme', limit: 5 }, '/api/v1/pools?kind=meme&limit=5'],
  ['list_pools', { symbol: 'NVDA', q: null }, '/api/v1/pools?symbol=NVDA'],
  [
    'get_pool',
    { id: samplePools[0]?.id, range: '7d' },
    `/api/v1/pools/${samplePools[0]?.id}?range=7d`,
  ],
  [
    'get_pool',
    { id: samplePools[0]?.id, asOfBlock: 300 },
    `/api/v1/pools/${samplePools[0]?.id}?asOfBlock=300`,
  ],
  ['list_stocks', {}, '/api/v1/stocks'],
  ['get_stock', { symbol: 'NVDA' }, '/api/v1/stocks/NVDA'],
  [
    'quote',
    { id: samplePools[0]?.id, side: 'sell', stockAmount: '1.5', usd: null },
    `/api/v1/pools/${samplePools[0]?.id}/quote?side=sell&stockAmount=1.5`,
  ],
  [
    'depth',
    { id: samplePools[0]?.id, segments: 'all' },
    `/api/v1/pools/${samplePools[0]?.id}/depth?segments=all`,
  ],
  [
    'quote_stock',
    { symbol: 'NVDA', side: 'buy', usd: 100 },
    '/api/v1/stocks/NVDA/quote?side=buy&usd=100',
  ],
  ['stock_depth', { symbol: 'NVDA' }, '/api/v1/stocks/NVDA/depth'],
  ['get_status', {}, '/api/v1/status'],
])('%s %j returns the body of %s with its origin', async (name, input, path) => {
  const { server, call } = await startConversation()
  const { value, text, isError } = await call(name, input)
  expect(isError).toBe(false)
  expect(value).toMatchObject((await server.request(path)).json())
  expect(value).toMatchObject({ asOf: { network: 'sandbox', sandbox: true } })
  expect(JSON.parse(text)).toEqual(value)
})

test('a list has the data status of its worst row', async () => {
  const { call } = await startConversation()
  expect((await call('list_pools')).value).toMatchObject({ dataStatus: 'unavailable' })
  expect((await call('get_pool', { id: samplePools[0]?.id })).value).toMatchObject({
    dataStatus: samplePools[0]?.dataStatus,
  })
})

test.each([
  ['list_pools', { limit: 51 }, 'limit must be an integer from 1 to 50'],
  ['list_pools', { limt: 5 }, 'does not have this query parameter'],
  ['list_pools', { active: 'yes' }, 'active must be true or false'],
  ['get_pool', { id: '0x12' }, 'id must be 0x and 40 or 64'],
  ['get_pool', {}, 'id must be'],
  ['get_stock', { symbol: 'NOPE' }, 'no stock with this ticker'],
  ['drop_tables', {}, 'available tools: list_pools, get_pool'],
])('%s %j returns an error that says what to correct', async (name, input, fault) => {
  const { call } = await startConversation()
  const { isError, text } = await call(name, input)
  expect([isError, text]).toEqual([true, expect.stringContaining(fault)])
})

type Ask = Awaited<ReturnType<typeof startForTest>>['request']

const askWith = (ask: Ask, body: string, headers: Record<string, string> = {}) =>
  ask('/mcp', {
    method: 'POST',
    body,
    headers: {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      ...headers,
    },
  })

const post = async (body: string, headers: Record<string, string> = {}) =>
  askWith((await startForTest()).request, body, headers)

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }

test.each([
  ['{"jsonrpc"', 400, 'the body is not JSON'],
  ['', 400, 'the body is not JSON'],
  [JSON.stringify(Array.from({ length: 9 }, () => ping)), 400, 'at most 8 requests'],
  [`"${'x'.repeat(70_000)}"`, 413, 'larger than 64 KiB'],
])('rejects the body %.20s…', async (body, status, detail) => {
  const reply = await post(body)
  expect([reply.status, reply.json().detail]).toEqual([status, expect.stringContaining(detail)])
})

test('each request of a batch counts against the limit', async () => {
  const { request } = await startForTest({ rateLimitPerMinute: 60 })
  const leftNow = async () => (await request('/api/v1/pools')).headers['x-ratelimit-remaining']
  const eight = JSON.stringify(Array.from({ length: 8 }, (_, id) => ({ ...ping, id })))
  const before = Number(await leftNow())
  expect(await askWith(request, eight)).toMatchObject({ status: 200 })
  expect(before - Number(await leftNow())).toBe(8 + 1)
})

test('rejects invalid messages with a JSON-RPC error', async () => {
  const { status, text } = await post('{"hello":1}')
  expect([status, JSON.parse(text)]).toMatchObject([400, { error: { code: -32700 } }])
})

test('GET, DELETE and preflight requests return the allowed methods', async () => {
  const server = await startForTest()
  for (const method of ['GET', 'DELETE', 'PUT']) {
    const reply = await server.request('/mcp', { method })
    expect([reply.status, reply.headers.allow]).toEqual([405, 'POST, OPTIONS'])
  }
  const preflight = await server.request('/mcp', {
    method: 'OPTIONS',
    headers: { origin: 'http://localhost:3000' },
  })
  expect(preflight.headers['access-control-allow-methods']).toBe('POST, OPTIONS')
})

test('MCP requests count against the rate limit', async () => {
  const server = await startForTest({ rateLimitPerMinute: 1 })
  const statuses = []
  for (let round = 0; round < 2; round++) {
    const body = JSON.stringify(ping)
    statuses.push((await server.request('/mcp', { method: 'POST', body })).status)
  }
  expect(statuses[1]).toBe(429)
})
