import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { startForTest, type TestServer } from '../../test/support/api/harness.ts'
import { samplePools, sampleStocks } from '../../test/support/api/sample-market.ts'
import { toEventCursor } from '../domain/history/event-cursor.ts'
import { success } from '../domain/outcome.ts'
import { isApiError } from './api-error.ts'
import { createClient } from './client.ts'
import { createSseParser } from './sse-parser.ts'
import type { StreamEvent } from './types.ts'

/* The client against the service itself, over HTTP. */

const urlOf = ({ port }: TestServer): string => `http://127.0.0.1:${port}`

const start = async (parts: Parameters<typeof startForTest>[0] = {}) => {
  const server = await startForTest(parts)
  return { server, client: createClient(urlOf(server)) }
}

test('reads every endpoint', async () => {
  const { server, client } = await start()
  const id = samplePools[1]?.id ?? ''
  const read = async (path: string) => (await server.request(path)).json()
  expect(await client.index()).toEqual(await read('/api/v1'))
  expect(await client.health()).toEqual(await read('/api/v1/health'))
  expect(await client.status()).toEqual(await read('/api/v1/status'))
  expect(await client.pools({ kind: 'meme', limit: 2, active: true })).toEqual(
    await read('/api/v1/pools?kind=meme&limit=2&active=true'),
  )
  expect(await client.pool(id, { range: '7d' })).toEqual(await read(`/api/v1/pools/${id}?range=7d`))
  expect(await client.pool(id, { range: '1h', asOfBlock: 300 })).toEqual(
    await read(`/api/v1/pools/${id}?range=1h&asOfBlock=300`),
  )
  expect(await client.quotePool(id, { side: 'buy', otherAmount: '0.5' })).toEqual(
    await read(`/api/v1/pools/${id}/quote?side=buy&otherAmount=0.5`),
  )
  expect(await client.poolRanges(id, { lower: '150.5', upper: 250, usd: 5 })).toEqual(
    await read(`/api/v1/pools/${id}/ranges?lower=150.5&upper=250&usd=5`),
  )
  expect(await client.poolDepth(id, { segments: 'none' })).toEqual(
    await read(`/api/v1/pools/${id}/depth?segments=none`),
  )
  expect(await client.candles(id, { width: '5m', price: 'other', limit: 3 })).toEqual(
    await read(`/api/v1/pools/${id}/candles?width=5m&price=other&limit=3`),
  )
  expect(await client.stockCandles('NVDA', { width: '1d', order: 'asc' })).toEqual(
    await read('/api/v1/stocks/NVDA/candles?width=1d&order=asc'),
  )
  expect(await client.swaps(id, { side: 'sell', limit: 3 })).toEqual(
    await read(`/api/v1/pools/${id}/swaps?side=sell&limit=3`),
  )
  expect(await client.liquidityChanges(id, { order: 'asc', limit: 3 })).toEqual(
    await read(`/api/v1/pools/${id}/liquidity?order=asc&limit=3`),
  )
  expect(await client.stockSwaps('NVDA', { minUsd: 10, order: 'asc' })).toEqual(
    await read('/api/v1/stocks/NVDA/swaps?minUsd=10&order=asc'),
  )
  const trader = `0x${'9'.repeat(40)}`
  expect(await client.allSwaps({ trader })).toEqual(await read(`/api/v1/swaps?trader=${trader}`))
  expect(await client.stocks()).toEqual(await read('/api/v1/stocks'))
  expect(await client.stock('nvda')).toEqual(await read('/api/v1/stocks/nvda'))
  expect(await client.quoteStock('NVDA', { side: 'buy', usd: 10_000 })).toEqual(
    await read('/api/v1/stocks/NVDA/quote?side=buy&usd=10000'),
  )
  expect(await client.files({ dataset: 'swaps', format: 'csv', limit: 1 })).toEqual(
    await read('/api/v1/files?dataset=swaps&format=csv&limit=1'),
  )
  expect(await client.provenance(id, { field: 'tick' })).toEqual(
    await read(`/api/v1/pools/${id}/provenance?field=tick`),
  )
  expect(await client.provenance(id, { field: 'tick', asOfBlock: 300 })).toEqual(
    await read(`/api/v1/pools/${id}/provenance?field=tick&asOfBlock=300`),
  )
  expect(await client.stockDepth('NVDA')).toEqual(await read('/api/v1/stocks/NVDA/depth'))
  expect(await client.resolve('$NVDA')).toEqual(await read('/api/v1/resolve?q=$NVDA'))
  const addresses = [trader, `0x${'8'.repeat(40)}`]
  expect(await client.prices(addresses)).toEqual(
    await read(`/api/v1/prices?addresses=${addresses.join(',')}`),
  )
})

test('iterates over the past by the cursor of each page', async () => {
  const { server, client } = await start()
  const times = [7200, 3600, 0]
  const pages: typeof server.market.poolCandles = async (_id, { cursor, limit }) => {
    const at = cursor === null ? 0 : times.indexOf(cursor.ts) + 1
    const [ts = 0] = times.slice(at)
    const next = at === times.length - 1 ? null : { ts }
    const row = { ts, open: limit, high: 1, low: 1, close: 1, volumeUsd: 1, volumeStock: 1 }
    const items = [{ ...row, swaps: 1, closed: true }]
    return success({ items, next, asOfBlock: 7, complete: true })
  }
  const stockCandles: typeof server.market.stockCandles = (_key, query) =>
    pages('0x', { ...query, price: 'usd', fill: 'none', hasStockVolume: true })
  Object.assign(server.market, { poolCandles: pages, stockCandles })
  const ofPool: number[] = []
  const id = samplePools[0]?.id ?? ''
  for await (const { ts, open } of client.eachCandle(id, { width: '1h' }))
    ofPool.push(ts, open ?? 0)
  expect(ofPool).toEqual([7200, 1000, 3600, 1000, 0, 1000])
  const ofStock: number[] = []
  for await (const { ts } of client.eachStockCandle('NVDA', { width: '1h' })) ofStock.push(ts)
  expect(ofStock).toEqual(times)
})

test('iterates over past swaps of a pool, a stock and all', async () => {
  const { server, client } = await start()
  const [swap] = (await client.allSwaps()).items
  const swaps = [3, 2, 1].map((logIndex) => ({ ...(swap as NonNullable<typeof swap>), logIndex }))
  const read: typeof server.market.swaps = async ({ cursor, side }) => {
    const at = cursor === null ? 0 : swaps.findIndex(({ logIndex }) => logIndex < cursor.logIndex)
    const [item] = swaps.slice(at)
    if (item === undefined || side !== 'buy') throw new Error('no such page')
    const next = at === swaps.length - 1 ? null : toEventCursor(item, null)
    return success({ items: [item], next, asOfBlock: 7, complete: true })
  }
  const ofOne = (_of: unknown, query: Parameters<typeof read>[0]) => read(query)
  Object.assign(server.market, { swaps: read, poolSwaps: ofOne, stockSwaps: ofOne })
  const filter = { side: 'buy' } as const
  for (const list of [
    client.eachSwap(samplePools[0]?.id ?? '', filter),
    client.eachStockSwap('NVDA', filter),
    client.eachOfAllSwaps(filter),
  ]) {
    const listed: unknown[] = []
    for await (const each of list) listed.push(each)
    expect(listed).toEqual(swaps)
  }
})

test('iterates over all pages, each row once', async () => {
  const { server, client } = await start()
  const rows = Array.from({ length: 120 }, (_, at) => ({
    ...(samplePools[0] as (typeof samplePools)[number]),
    id: `0x${at.toString(16).padStart(40, '0')}` as const,
  }))
  let asked = 0
  const pools: typeof server.market.pools = async ({ limit, offset }) => {
    // A pool that moves down between two pages stands on both.
    const shown = asked++ === 1 ? [...rows.slice(0, 49), ...rows.slice(48, 119)] : rows
    return { items: shown.slice(offset, offset + limit), total: rows.length, limit, offset }
  }
  Object.assign(server.market, { pools })
  const ids: string[] = []
  for await (const { id } of client.eachPool({ version: 'v3' })) ids.push(id)
  expect([asked, new Set(ids).size === ids.length, ids.length >= 119]).toEqual([3, true, true])
  const symbols: string[] = []
  for await (const { symbol } of client.eachStock()) symbols.push(symbol)
  expect(symbols).toEqual(sampleStocks.map(({ symbol }) => symbol))
})

test.each([
  [
    (client: ReturnType<typeof createClient>) => client.pools({ limit: 51 }),
    400,
    'invalid_parameter',
    'limit',
  ],
  [(client: ReturnType<typeof createClient>) => client.pool('0x12'), 400, 'invalid_pool_id', 'id'],
  [
    (client: ReturnType<typeof createClient>) => client.stock('NOPE'),
    404,
    'stock_not_found',
    'symbol',
  ],
  [
    (client: ReturnType<typeof createClient>) => client.stock('a/../b'),
    400,
    'invalid_parameter',
    'symbol',
  ],
])('throws an error with code and parameter: %s', async (ask, status, code, param) => {
  const { client } = await start()
  const error = await ask(client).catch((thrown: unknown) => thrown)
  expect(isApiError(error)).toBe(true)
  expect(error).toMatchObject({ status, code, param, requestId: expect.stringMatching(/\w/) })
})

/** Another service's replies, one after the other; the last again and again. */
const startOther = async (replies: readonly [number, Record<string, string>, string][]) => {
  let asked = 0
  const server = createServer((_request, response) => {
    const [status, headers, body] = replies[
      Math.min(asked++, replies.length - 1)
    ] as (typeof replies)[number]
    response.writeHead(status, headers).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, asked: () => asked }
}

test('retries after the requested wait; a long wait is an error', async () => {
  const quick = await startOther([
    [429, { 'retry-after': '1' }, '{}'],
    [503, { 'retry-after': '0' }, '{}'],
    [200, {}, '{"ok":true}'],
  ])
  const began = performance.now()
  expect(await createClient(quick.url).health()).toEqual({ ok: true })
  expect(performance.now() - began).toBeGreaterThan(950)
  const slow = await startOther([[429, { 'retry-after': '3600' }, '{}']])
  await expect(createClient(slow.url).health()).rejects.toMatchObject({ retryAfterSeconds: 3600 })
  expect(slow.asked()).toBe(1)
})

test('throws for an error response without a problem document', async () => {
  const other = await startOther([[502, {}, '<html>Bad gateway</html>']])
  await expect(createClient(other.url).pools()).rejects.toMatchObject({
    status: 502,
    code: 'http_502',
  })
})

test('aborts a request', async () => {
  const { client } = await start()
  const asking = { signal: AbortSignal.abort(new Error('never mind')) }
  await expect(client.pools({}, asking)).rejects.toThrow('never mind')
})

const news = (block: number) => ({
  topic: 'rollback' as const,
  data: { afterBlock: block, ts: 1 },
  about: null,
})

test('resumes the stream after a broken connection without a gap', async () => {
  const { server, client } = await start()
  const stop = new AbortController()
  const heard: StreamEvent[] = []
  const listening = (async () => {
    for await (const event of client.stream({ signal: stop.signal })) heard.push(event)
  })()
  const blocks = () => heard.map(({ data }) => (data as { afterBlock: number }).afterBlock)
  // Published until it is received, so it may be received twice.
  const blocksAfter1 = () => blocks().filter((block) => block > 1)
  await expect
    .poll(() => {
      server.market.publish([news(1)])
      return blocks()
    })
    .toContain(1)
  server.dropConnections()
  server.market.publish([news(2), news(3)])
  await expect.poll(blocksAfter1).toEqual([2, 3])
  server.market.publish([news(4)])
  await expect.poll(blocksAfter1).toEqual([2, 3, 4])
  stop.abort()
  await listening
})

// A greeting or a heartbeat has no id, and must not take the last one's place.
test('resumes at the last event although only heartbeats follow it', async () => {
  const asked: (string | undefined)[] = []
  const event = 'id: 0000000a-7\nevent: source\ndata: {}\n\n'
  const replies = [
    `retry: 2000\n\n${event}: still here\n\n`,
    'retry: 2000\n\n: still here\n\n',
    event,
  ]
  const other = createServer((request, response) => {
    asked.push(new URL(request.url ?? '', 'http://x').searchParams.get('lastEventId') ?? undefined)
    response.writeHead(200).end(replies[Math.min(asked.length, replies.length) - 1])
  })
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', () => resolve()))
  onTestFinished(() => void other.close())
  const { port } = other.address() as AddressInfo
  let heard = 0
  for await (const _event of createClient(`http://127.0.0.1:${port}`).stream()) {
    heard += 1
    if (heard === 2) break
  }
  expect(asked).toEqual([undefined, '0000000a-7', '0000000a-7'])
})

test('throws for a rejected stream instead of retrying', async () => {
  const { client } = await start()
  const listening = async () => {
    for await (const _event of client.stream({ symbol: '%' })) return
  }
  await expect(listening()).rejects.toMatchObject({ status: 400, param: 'symbol' })
})

test.each([1, 2, 7, 1000])('parses the same events from chunks of %i characters', (size) => {
  const first = ': hello\n\nid: a-1\n\nid: a-2\nevent: swap\ndata: {"x":\ndata: 1}\n\n'
  const text = `${first}event: pool\r\ndata:2\r\n\r\n`
  const ids: string[] = []
  const read = createSseParser((id) => ids.push(id))
  const events = []
  for (let at = 0; at < text.length; at += size) events.push(...read(text.slice(at, at + size)))
  expect(events).toEqual([
    { event: 'swap', data: '{"x":\n1}', id: 'a-2' },
    { event: 'pool', data: '2', id: 'a-2' },
  ])
  expect(ids.at(-1)).toBe('a-2')
})
