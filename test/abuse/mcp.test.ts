import { afterAll, beforeAll, expect, test } from 'vitest'
import { startForTest } from '../support/api/harness.ts'
import { type AbusedServer, byTier, expectNoLeak, startAbusedServer } from './abused-server.ts'
import { connectionClose, openConnection, parseReplies, sendAll, sendRaw } from './wire.ts'

/* Bodies that no assistant sends, to the one place that reads bodies. */

let server: AbusedServer
beforeAll(async () => {
  server = await startAbusedServer()
})
afterAll(() => server.stop())

const types = 'Accept: application/json, text/event-stream\r\nContent-Type: application/json\r\n'

const post = (body: string, headers = types): string => {
  const length = `Content-Length: ${Buffer.byteLength(body)}\r\n`
  return `POST /mcp HTTP/1.1\r\nHost: localhost\r\n${headers}${length}\r\n${body}`
}

const called = (input: unknown, id: unknown = 1, name = 'list_pools') => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: input },
})
const callText = (input: unknown): string => JSON.stringify(called(input))

const deepList = '['.repeat(30_000) + ']'.repeat(30_000)
const deepRecord = `${'{"a":'.repeat(9000)}1${'}'.repeat(9000)}`
const within = (text: string, name = 'q'): string =>
  callText({ [name]: 0 }).replace(':0}', `:${text}}`)

/** What each is, the body, and the status of the reply. */
const bodies: readonly (readonly [string, string, number])[] = [
  ['a list 30,000 deep', deepList, 400],
  ['a record 9,000 deep', deepRecord, 400],
  ['a deep argument', within(deepList), 400],
  ['a deep unknown argument', within(deepRecord, 'zzz'), 400],
  ['brackets in a text', callText({ q: '[{'.repeat(30) }), 200],
  ['an argument 10 deep', within('['.repeat(10) + ']'.repeat(10)), 200],
  ['a list of 30,000', `[${'1,'.repeat(30_000)}1]`, 400],
  ['a list argument', callText({ q: Array(10_000).fill(1) }), 200],
  ['10,000 arguments', callText(Object.fromEntries(Array(5000).entries())), 200],
  ['a prototype', within('{"__proto__":{"limit":1}}', '__proto__'), 200],
  ['half a character', callText({ q: '\ud800' }), 200],
  ['nothing', '', 400],
  ['null', 'null', 400],
  ['a number', '1e999', 400],
  ['half of JSON', '{"jsonrpc":"2.0","id":1,', 400],
  ['no UTF-8', '\xff\xfe', 400],
  ['a byte order mark', '\ufeff{}', 400],
  ['a batch of nothing', '[]', 202],
  ['a batch of nine', `[${Array(9).fill('{}').join(',')}]`, 400],
  ['one id twice', JSON.stringify([called({}), called({})]), 200],
  [
    'a question taken back',
    JSON.stringify([
      called({}),
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } },
    ]),
    200,
  ],
  ['64 KiB and a byte', `"${'x'.repeat(65_535)}"`, 413],
]

test.each(bodies)('handles %s at once', async (_what, body, status) => {
  const before = await server.usage()
  const { text } = await sendRaw(server.port, Buffer.from(post(body, types + connectionClose)))
  const [reply] = parseReplies(text)
  expect(reply?.status).toBe(status)
  // Of the processor: whatever else the machine does only makes it later.
  expect((await server.usage()).cpuSeconds - before.cpuSeconds).toBeLessThan(3)
  // A refusal in words is an answer; an error of the protocol's own kind "internal" is a fault.
  expect(reply?.body).not.toMatch(/-32603|call stack|\bat \//)
})

test.each([
  [
    'text/plain',
    'Accept: application/json, text/event-stream\r\nContent-Type: text/plain\r\n',
    415,
  ],
  ['no type', 'Accept: application/json, text/event-stream\r\n', 415],
  ['HTML wanted', 'Accept: text/html\r\nContent-Type: application/json\r\n', 406],
  ['an unknown version', `${types}Mcp-Protocol-Version: ${'9'.repeat(8000)}\r\n`, 400],
  ['a page without an origin', `${types}Origin: null\r\n`, 403],
])('rejects %s', async (_what, headers, status) => {
  const { text } = await sendRaw(server.port, post(callText({}), headers + connectionClose))
  expect(parseReplies(text)[0]?.status).toBe(status)
})

test('accepts every valid host', async () => {
  // Bound to loopback it has only the names of this machine.
  const own = await startForTest({}, '0.0.0.0')
  const plain = post(callText({}), types + connectionClose)
  for (const host of ['x:99999', 'a%20b', '', '[::1]:8080', 'a_b']) {
    const text = plain.replace('Host: localhost', `Host: ${host}`)
    const [reply] = parseReplies((await sendRaw(own.port, text)).text)
    expect([host, reply?.status]).toEqual([host, 200])
  }
})

test('an internal error appears only in the log', async () => {
  // On a very busy machine its first loading takes longer than a connection may idle.
  await import('../../src/api/mcp/handle-messages.ts')
  const own = await startForTest()
  own.market.readError = new Error('canary at /var/lib/store')
  const { text } = await own.raw(post(callText({}), types + connectionClose))
  expect(text).toContain('internal error')
  expect(text).not.toContain('canary')
  expect(own.logged).toMatchObject([{ message: 'MCP tool failed', fields: { tool: 'list_pools' } }])
  const [line] = own.logged as { readonly fields: { readonly requestId: string } }[]
  expect(text).toContain(line?.fields.requestId)
})

test('floods of bodies do not leak', async () => {
  const count = byTier(1500, 15_000)
  const requests = Array.from({ length: count }, (_, at) => post(bodies[at % 18]?.[1] ?? ''))
    // A request that ends its connection cannot precede others.
    .filter((text) => !text.includes('-Length: 0\r') && Buffer.byteLength(text) === text.length)
  await sendAll(server.port, requests.slice(0, 300), { depth: 1 })
  const before = await server.usage()
  await server.whileServing(`${requests.length} malformed bodies`, () =>
    sendAll(server.port, requests, { connections: 4, depth: 1 }),
  )
  await expectNoLeak(server, before)
})

test('aborted MCP requests do not leak', async () => {
  const count = byTier(500, 5000)
  const before = await server.usage()
  await server.whileServing(`${count} conversations broken off`, async () => {
    for (let done = 0; done < count; done += 10) {
      const sockets = await Promise.all(
        Array.from({ length: 10 }, () => openConnection(server.port)),
      )
      for (const [at, socket] of sockets.entries()) {
        const text = post(callText({ limit: 50 }))
        const part = at % 2 === 0 ? text : text.slice(0, -10)
        socket.write(part, () => (at % 3 === 0 ? socket.resetAndDestroy() : socket.destroy()))
      }
      await Promise.all(sockets.map((socket) => new Promise((done_) => socket.on('close', done_))))
    }
  })
  await expectNoLeak(server, before)
})
