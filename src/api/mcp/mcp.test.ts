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
    'resolve',
    'prices',
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
  for (const { name, description, annotations, inputSchema, outputSchema } of tools) {
    expect(description?.length).toBeGreaterThan(60)
    expect(annotations?.readOnlyHint).toBe(true)
    expect(inputSchema.additionalProperties).toBe(false)
    expect(outputSchema).toMatchObject({ type: 'object', additionalProperties: false })
    expect(outputSchema?.required).toContain('asOf')
    expect(Object.hasOwn(inputSchema.properties ?? {}, 'rows')).toBe(name !== 'prices')
  }
  const requiredBy = (tool: string) => tools.find(({ name }) => name === tool)?.inputSchema.required
  expect(requiredBy('get_pool')).toEqual(['id'])
  expect(requiredBy('quote')).toEqual(['id', 'side'])
  expect(requiredBy('resolve')).toEqual(['q'])
  expect(client.getServerCapabilities()).toEqual({ tools: {}, resources: {} })
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

const token = `0x${'a'.repeat(40)}`

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
  ['resolve', { q: '$NVDA' }, '/api/v1/resolve?q=$NVDA'],
  ['prices', { addresses: [token, token].join() }, `/api/v1/prices?addresses=${token},${token}`],
  ['prices', { addresses: [token] }, `/api/v1/prices?addresses=${token}`],
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
  ['list_pools', { rows: 51 }, 'limit must be an integer from 1 to 50'],
  ['list_pools', { rows: 5, limit: 5 }, 'give rows or limit, not both'],
  ['get_pool', { id: samplePools[0]?.id, rows: 0 }, 'rows must be an integer from 1 to 9999'],
  ['prices', { addresses: '0x12' }, 'number 1, "0x12", is not 0x and 40'],
  ['prices', { addresses: [{}] }, 'addresses must be 1 to 100 addresses'],
  ['resolve', {}, 'q must be'],
  ['get_pool', { id: '0x12' }, 'id must be 0x and 40 or 64'],
  ['get_pool', {}, 'id must be'],
  ['get_stock', { symbol: 'NOPE' }, 'no stock with this ticker'],
  ['drop_tables', {}, 'available tools: resolve, prices, list_pools, get_pool'],
])('%s %j returns an error that says what to correct', async (name, input, fault) => {
  const { call } = await startConversation()
  const { isError, text } = await call(name, input)
  expect([isError, text]).toEqual([true, expect.stringContaining(fault)])
})

const seriesOf = async (server: Awaited<ReturnType<typeof startForTest>>, count: number) => {
  const answer = server.market.pool
  const pool: typeof answer = async (...asked) => {
    const detail = await answer(...asked)
    const [row] = detail?.series ?? []
    if (detail === null || row === undefined) return detail
    return { ...detail, series: Array.from({ length: count }, (_, ts) => ({ ...row, ts })) }
  }
  Object.assign(server.market, { pool })
}

test('an answer fits into a window by default, and says what is left out', async () => {
  const { server, call } = await startConversation()
  await seriesOf(server, 300)
  const id = samplePools[0]?.id
  const fitted = await call('get_pool', { id })
  expect(Buffer.byteLength(fitted.text)).toBeLessThan(8192)
  const { series, cut } = fitted.value as { series: { ts: number }[]; cut: object[] }
  expect(cut).toEqual([{ list: 'series', shown: series.length, of: 300 }])
  expect(series.at(-1)?.ts).toBe(299)
  const short = await call('get_pool', { id, rows: 2 })
  expect(short.value).toMatchObject({
    series: [{ ts: 298 }, { ts: 299 }],
    cut: [{ list: 'series', shown: 2, of: 300 }],
  })
  expect((await call('get_pool', { id, rows: 500 })).value).not.toHaveProperty('cut')
})

test('a page that is shortened continues where it ends', async () => {
  const { server, call } = await startConversation()
  const { pools } = server.market
  const many: typeof pools = async (query) => {
    const { items } = await pools({ ...query, limit: 50, offset: 0 })
    const rows = Array.from({ length: 50 }, () => items[0]).filter((row) => row !== undefined)
    const page = rows.slice(query.offset, query.offset + query.limit)
    return { items: page, total: 50, limit: query.limit, offset: query.offset }
  }
  const { swaps } = server.market
  const manySwaps: typeof swaps = async (query) => {
    const page = await swaps(query)
    if (!page.ok) return page
    const [row] = page.value.items
    const items = Array.from({ length: query.limit }, () => row).filter(
      (each) => each !== undefined,
    )
    return { ...page, value: { ...page.value, items } }
  }
  Object.assign(server.market, { pools: many, swaps: manySwaps })
  const { value, text } = await call('list_pools')
  expect(Buffer.byteLength(text)).toBeLessThan(8192)
  const { items, limit, total } = value as { items: object[]; limit: number; total: number }
  expect([limit, total]).toEqual([items.length, 50])
  const list = await call('list_swaps')
  expect(Buffer.byteLength(list.text)).toBeLessThan(8192)
  const asked = server.market.queries.at(-1) as { query: { limit: number } }
  expect((list.value as { items: object[] }).items).toHaveLength(asked.query.limit)
  expect((await call('list_swaps', { rows: 60 })).value).not.toHaveProperty('cut')
  expect(server.market.queries.at(-1)).toMatchObject({ query: { limit: 60 } })
})

test('the methodology, its sections and llms.txt are resources', async () => {
  const { server, client } = await startConversation()
  const { resources } = await client.listResources()
  const uris = resources.map(({ uri }) => uri)
  expect(uris).toEqual(expect.arrayContaining(['stockpools://methodology/13']))
  for (const { uri, title, mimeType } of resources) {
    const { contents } = await client.readResource({ uri })
    expect(contents).toMatchObject([{ uri, mimeType }])
    expect((contents[0] as { text: string }).text.length, title).toBeGreaterThan(200)
  }
  const read = async (uri: string) => {
    const [content] = (await client.readResource({ uri })).contents
    return (content as { text: string }).text
  }
  expect(await read('stockpools://llms.txt')).toBe((await server.request('/llms.txt')).text)
  expect(JSON.parse(await read('stockpools://methodology/parameters'))).toEqual(
    (await server.request('/api/v1/methodology')).json(),
  )
  const whole = await read('stockpools://methodology')
  const third = await read('stockpools://methodology/3')
  expect(third).toMatch(/^## 3\. References and dollar prices\n/)
  expect(whole).toContain(third)
  expect(third).not.toContain('## 4.')
  await expect(client.readResource({ uri: 'stockpools://nothing' })).rejects.toMatchObject({
    code: -32002,
  })
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
