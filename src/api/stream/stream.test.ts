import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { startForTest, type TestServer } from '../../../test/support/api/harness.ts'
import { samplePools } from '../../../test/support/api/sample-market.ts'
import type { ChangeEvent } from '../../market/changes.ts'
import { exampleFromSchema } from '../openapi/components.ts'
import { SwapChangeSchema } from '../schemas/changes.ts'
import { StockSchema } from '../schemas/stock.ts'

const [pool, other] = samplePools as [(typeof samplePools)[number], (typeof samplePools)[number]]
const poolNews: ChangeEvent = {
  topic: 'pool',
  data: pool,
  about: { symbols: ['NVDA'], poolId: pool.id },
}
const otherNews: ChangeEvent = {
  topic: 'pool',
  data: other,
  about: { symbols: ['TSLA', 'NVDA'], poolId: other.id },
}
const swapNews: ChangeEvent = {
  topic: 'swap',
  data: { ...exampleFromSchema(SwapChangeSchema), poolId: pool.id },
  about: { symbols: ['NVDA'], poolId: pool.id },
}
const stockNews: ChangeEvent = {
  topic: 'stock',
  data: exampleFromSchema(StockSchema),
  about: { symbols: ['NVDA'], poolId: null },
}
const rollbackNews: ChangeEvent = { topic: 'rollback', data: { afterBlock: 7, ts: 9 }, about: null }

/** Subscribes until stopped; `heard` are the events so far, as topic and id. */
const listen = async (
  server: TestServer,
  query = '',
  headers: Readonly<Record<string, string>> = {},
) => {
  const stop = new AbortController()
  onTestFinished(() => stop.abort())
  const url = `http://127.0.0.1:${server.port}/api/v1/stream${query}`
  const reply = await fetch(url, { headers, signal: stop.signal })
  const reader = reply.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const pump = async (): Promise<void> => {
    for (let read = await reader?.read(); read?.done === false; read = await reader?.read()) {
      text += read.value
    }
  }
  pump().catch(() => {})
  const heard = () => [...text.matchAll(/^event: (\w+)$/gm)].map(([, topic]) => topic)
  const lastId = () => [...text.matchAll(/^id: (\S+)$/gm)].at(-1)?.[1] ?? ''
  const until = (what: () => boolean) => expect.poll(what).toBe(true)
  await until(() => text.includes('\n\n'))
  return { reply, heard, lastId, until, text: () => text, stop: () => stop.abort() }
}

test('sends changes in the shape of the responses with increasing ids', async () => {
  const server = await startForTest()
  const client = await listen(server)
  expect(client.reply.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  expect(client.reply.headers.get('access-control-allow-origin')).toBe('*')
  server.market.publish([poolNews, swapNews])
  await client.until(() => client.heard().length === 2)
  const data = [...client.text().matchAll(/^data: (.*)$/gm)].map(([, json]) =>
    JSON.parse(json ?? ''),
  )
  expect(data[0]).toEqual((await server.request(`/api/v1/pools/${pool.id}`)).json().pool)
  expect(data[1]).toEqual(swapNews.data)
  expect(client.lastId()).toMatch(/^[0-9a-f]{8}-2$/)
})

test.each([
  ['', ['pool', 'pool', 'swap', 'stock', 'rollback']],
  ['?topics=swap,stock', ['swap', 'stock', 'rollback']],
  ['?symbol=tsla', ['pool', 'rollback']],
  [`?id=${pool.id}`, ['pool', 'swap', 'rollback']],
  [`?id=${pool.id}&topics=stock`, ['rollback']],
])('%s receives %j', async (query, expected) => {
  const server = await startForTest()
  const client = await listen(server, query)
  server.market.publish([poolNews, otherNews, swapNews, stockNews, rollbackNews])
  await client.until(() => client.heard().length >= expected.length)
  expect(client.heard()).toEqual(expected)
})

test.each([
  ['?topics=swaps', 'topics'],
  ['?topics=', 'topics'],
  ['?topics=swap,swap', 'topics'],
  ['?symbol=%', 'symbol'],
  ['?id=0x12', 'id'],
  ['?lastEventId=1', 'lastEventId'],
  ['?Topics=swap', 'Topics'],
])('rejects %s and names %s', async (query, param) => {
  const server = await startForTest()
  const reply = await server.request(`/api/v1/stream${query}`)
  expect(reply.status).toBe(400)
  expect(reply.headers['content-type']).toBe('application/problem+json')
  expect(reply.json().error.param).toBe(param)
})

test('replays missed events once after a reconnect', async () => {
  const server = await startForTest()
  const first = await listen(server)
  server.market.publish([poolNews])
  await first.until(() => first.heard().length === 1)
  first.stop()
  server.market.publish([swapNews, stockNews])
  const headers = { 'last-event-id': first.lastId() }
  const again = await listen(server, '?topics=swap', headers)
  await again.until(() => again.heard().length === 1)
  const byQuery = await listen(server, `?lastEventId=${first.lastId()}`)
  await byQuery.until(() => byQuery.heard().length === 2)
  expect([again.heard(), byQuery.heard()]).toEqual([['swap'], ['swap', 'stock']])
})

test.each(['00000000-3', 'nonsense', ''])('sends resync after the unknown id "%s"', async (id) => {
  const server = await startForTest()
  const client = await listen(server, '', { 'last-event-id': id })
  await client.until(() => client.heard().length === 1)
  expect(client.heard()).toEqual(['resync'])
  expect(client.text()).toContain('events_missed')
})

test('disconnects a client that does not read without effect on others', async () => {
  const server = await startForTest()
  const reader = await listen(server)
  const deaf = connect(server.port, '127.0.0.1')
  const closed = new Promise<void>((resolve) => deaf.on('close', () => resolve()))
  deaf.on('error', () => {})
  deaf.write('GET /api/v1/stream HTTP/1.1\r\nHost: a\r\n\r\n')
  deaf.pause()
  // More than any socket's buffers hold.
  for (let round = 0; round < 250; round++) {
    server.market.publish(Array.from({ length: 100 }, () => poolNews))
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  deaf.resume()
  await closed
  await reader.until(() => reader.heard().length === 25_000)
})

test('stopping ends every stream', async () => {
  // Not by cutting connections off in the end.
  const server = await startForTest({ limits: { closeMsMax: 3_600_000 } })
  const client = await listen(server)
  await server.close()
  await expect(fetch(`http://127.0.0.1:${server.port}/healthz`)).rejects.toThrow()
  client.stop()
})

test('HEAD has the headers of GET', async () => {
  const server = await startForTest()
  const { status, headers } = await server.request('/api/v1/stream', { method: 'HEAD' })
  expect([status, headers['content-type']]).toEqual([200, 'text/event-stream; charset=utf-8'])
})
