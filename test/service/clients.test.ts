import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { OpenAPIClientAxios } from 'openapi-client-axios'
import { expect, onTestFinished, test } from 'vitest'
import { createClient } from '../../src/client/client.ts'
import type { StreamEvent } from '../../src/client/types.ts'
import { eventually } from './api.ts'
import { baseUrl } from './shared.ts'

/* The service as those meet it who build on it, each with their own tools and no special case. */

const client = createClient(baseUrl)

test('the client iterates over every pool and every stock', async () => {
  const { pools } = await client.health()
  const ids = new Set<string>()
  for await (const { id } of client.eachPool()) ids.add(id)
  expect(Math.abs(ids.size - pools.total)).toBeLessThanOrEqual(2)
  const { total } = await client.stocks({ limit: 1 })
  let stocks = 0
  for await (const _stock of client.eachStock()) stocks += 1
  expect(stocks).toBe(total)
})

test('the stream sends each swap of a pool once', async () => {
  const stop = new AbortController()
  onTestFinished(() => stop.abort())
  const swaps: Extract<StreamEvent, { topic: 'swap' }>[] = []
  const listening = (async () => {
    for await (const event of client.stream({ topics: ['swap'], signal: stop.signal })) {
      if (event.topic === 'swap') swaps.push(event)
    }
  })()
  await eventually(
    () => swaps.length,
    (count) => count >= 5,
  )
  stop.abort()
  await listening
  const places = swaps.map(({ data }) => `${data.txHash}:${data.logIndex}`)
  expect(new Set(places).size).toBe(places.length)
  for (const { data } of swaps.slice(0, 10)) {
    const { poolId, stockSymbol, ...swap } = data
    const detail = await client.pool(poolId, { range: '1h' })
    expect(detail.pool.stockSymbol).toBe(stockSymbol)
    expect(detail.swaps).toContainEqual(swap)
  }
})

test('the stream sends a changed pool with its current values', async () => {
  for await (const event of client.stream({ topics: ['pool'] })) {
    if (event.topic !== 'pool') continue
    const { pool } = await client.pool(event.data.id)
    expect(pool.asOfBlock ?? 0).toBeGreaterThanOrEqual(event.data.asOfBlock ?? 0)
    expect(Object.keys(event.data)).toEqual(Object.keys(pool))
    return
  }
})

test('the official MCP client works by the descriptions alone', async () => {
  const assistant = new Client({ name: 'assistant', version: '1.0.0' })
  const transport = new StreamableHTTPClientTransport(new URL(`${baseUrl}/mcp`))
  await assistant.connect(transport as Transport)
  onTestFinished(() => assistant.close())
  const { tools } = await assistant.listTools()
  const ask = async (name: string, input: Record<string, unknown>) =>
    (await assistant.callTool({ name, arguments: input })).structuredContent as {
      asOf: { block: number }
      dataStatus?: string
      items: { id: string; symbol: string }[]
    }
  expect(tools.map(({ name }) => name)).toContain('list_pools')
  const pools = await ask('list_pools', { kind: 'canonical', limit: 3 })
  expect(pools.asOf.block).toBeGreaterThan(0)
  expect(pools.dataStatus).toMatch(/^(?:fresh|partial|stale|unavailable)$/)
  const pool = await ask('get_pool', { id: pools.items[0]?.id, range: '1h' })
  expect(pool.asOf.block).toBeGreaterThanOrEqual(pools.asOf.block)
})

test('a client generated from the OpenAPI document can call every endpoint', async () => {
  const api = new OpenAPIClientAxios({
    definition: `${baseUrl}/api/v1/openapi.json`,
    withServer: { url: baseUrl },
  })
  const made = await api.init()
  // The stream has no end, and MCP takes messages: both have clients of their own above. This
  // service has no exported files.
  const others = ['streamChanges', 'sendMcpMessage', 'listFiles', 'downloadFile']
  const operations = api.getOperations()
  const names = operations.map(({ operationId }) => operationId)
  expect(names).toEqual(expect.arrayContaining(others))
  const { items } = (await made.listPools?.({ limit: 1 }))?.data ?? {}
  // Of the amounts of an order one must be given; of the others the document says it.
  const values: Record<string, string> = {
    id: items[0].id,
    symbol: items[0].stockSymbol,
    q: items[0].stockSymbol,
    ticker_id: `${items[0].stockAddress}_${items[0].otherAddress}_${items[0].id}`,
    addresses: `${items[0].token0},${items[0].token1}`,
    side: 'buy',
    usd: '100',
    width: '1h',
    lower: '100',
    upper: '300',
  }
  const token = (await made.getPool?.({ id: items[0].id }))?.data.pool.token0
  // Before a block is settled there is none to ask for.
  const { text } = await eventually(
    async () => {
      const reply = await fetch(`${baseUrl}/integrations/dexscreener/latest-block`)
      return { status: reply.status, text: await reply.text() }
    },
    ({ status }) => status === 200,
  )
  const last = JSON.parse(text).block.blockNumber
  const own: Record<string, Record<string, string>> = {
    getDexScreenerAsset: { id: token },
    listDexScreenerEvents: { fromBlock: String(last), toBlock: String(last) },
  }
  for (const { operationId = '', parameters = [] } of operations) {
    if (others.includes(operationId)) continue
    const given: Record<string, string> = {}
    for (const parameter of parameters as { name: string; required?: boolean }[]) {
      const { name, required } = parameter
      if (required || name === 'usd') {
        given[name] = own[operationId]?.[name] ?? values[name] ?? ''
      }
    }
    expect([operationId, (await made[operationId]?.(given))?.status]).toEqual([operationId, 200])
  }
})

const figureIn = (text: string, name: string): number =>
  Number(new RegExp(`^${name} (.+)$`, 'm').exec(text)?.[1] ?? Number.NaN)

test('Prometheus scrapes the lag of the index and the request counts', async () => {
  const { text } = await eventually(
    async () => {
      const read = await (await fetch(`${baseUrl}/metrics`)).text()
      const rpc = /^stockpools_rpc_calls_total\{host="127\.0\.0\.1(?::\d+)?"\} (\d+)$/m.exec(read)
      return { text: read, counted: Number(rpc?.[1] ?? 0) }
    },
    ({ text: read, counted }) => counted > 10 && figureIn(read, 'stockpools_lag_seconds') < 30,
  )
  const figure = (name: string): number => figureIn(text, name)
  expect(figure('stockpools_up')).toBe(1)
  expect(figure('stockpools_store_bytes')).toBeGreaterThan(100_000)
  expect(figure('stockpools_indexed_block')).toBeGreaterThan(0)
  expect(text).toContain('stockpools_http_request_duration_seconds_count{route="/api/v1/pools"')
})
