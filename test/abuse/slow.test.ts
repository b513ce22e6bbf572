import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AbusedServer, expectNoLeak, startAbusedServer } from './abused-server.ts'
import { createStallMeter } from './stall-meter.ts'
import { getRequest, measureLifetimeMs, openConnection, parseReplies, sendRaw } from './wire.ts'

/*
 * Deliberately slow clients hold a connection each and are disconnected after five to seven
 * seconds. Many of them at once do not affect other clients.
 */

let server: AbusedServer
beforeAll(async () => {
  server = await startAbusedServer()
})
afterAll(() => server.stop())

const many = <T>(count: number, make: () => Promise<T>): Promise<readonly T[]> =>
  Promise.all(Array.from({ length: count }, make))

const ownStalledMs = createStallMeter()

/** What it came to, and how much later than usual the machine has let it be. */
const timed = async <T>(work: () => Promise<T>) => {
  const stalledMs = async () => (await server.usage()).stalledMs + ownStalledMs()
  const before = await stalledMs()
  const value = await work()
  return { value, lateMs: (await stalledMs()) - before }
}

const posted = 'POST /mcp HTTP/1.1\r\nHost: localhost\r\n'

/** What is sent, after which nothing comes any more. */
const stalls: readonly (readonly [string, string])[] = [
  ['a request line', 'GET /api/v1/pools'],
  ['headers', 'GET /api/v1/pools HTTP/1.1\r\nHost: x\r\nX: '],
  ['a body of known length', `${posted}Content-Length: 50\r\n\r\n{"jsonrpc"`],
  ['a body in chunks', `${posted}Transfer-Encoding: chunked\r\n\r\n5\r\n{"jso`],
  ['the last chunk', `${posted}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n`],
  ['a body that was announced', `${posted}Content-Length: 50\r\n\r\n`],
]

test('an incomplete request gets a 408 and is disconnected', async () => {
  const { value: ended, lateMs } = await server.whileServing('600 requests that never end', () =>
    timed(() => Promise.all(stalls.map(([, text]) => many(100, () => sendRaw(server.port, text))))),
  )
  for (const [at, each] of ended.entries()) {
    for (const { text, ms } of each) {
      const [reply] = parseReplies(text)
      expect([stalls[at]?.[0], reply?.status]).toEqual([stalls[at]?.[0], 408])
      expect(JSON.parse(reply?.body ?? '').error.code).toBe('request_timeout')
      expect(ms).toBeGreaterThan(4000)
      expect(ms).toBeLessThan(8000 + lateMs)
    }
  }
})

/** A byte now and then, as long as the connection lasts. */
const drip = async (begin: string): Promise<number> => {
  const socket = await openConnection(server.port)
  socket.write(begin)
  const dripping = setInterval(() => socket.write('a'), 300)
  const ms = await measureLifetimeMs(socket)
  clearInterval(dripping)
  return ms
}

test('dripping bytes gains nothing, in headers or body', async () => {
  const begins = [
    'GET / HTTP/1.1\r\nHost: x\r\nX: ',
    `${posted}Content-Length: 60000\r\n\r\n`,
    `${posted}Transfer-Encoding: chunked\r\n\r\nea60\r\n`,
  ]
  const { value: took, lateMs } = await server.whileServing('150 requests that drip', () =>
    timed(() => many(50, () => Promise.all(begins.map(drip)))),
  )
  for (const ms of took.flat()) expect(ms).toBeLessThan(8000 + lateMs)
})

/** Sends more than the sockets' buffers hold, until it is disconnected. */
const askUnread = async (): Promise<number> => {
  const socket = await openConnection(server.port)
  socket.pause()
  const asking = setInterval(() => socket.write(getRequest('/docs').repeat(100)), 50)
  const began = performance.now()
  const closed = new Promise((resolve) => socket.on('close', resolve))
  await new Promise((resolve) => setTimeout(resolve, 7500))
  clearInterval(asking)
  socket.resume()
  await closed
  return performance.now() - began
}

test('disconnects a client that requests much and does not read', async () => {
  const before = await server.usage()
  const { value: took, lateMs } = await server.whileServing('100 who do not read', () =>
    timed(() => many(100, askUnread)),
  )
  for (const ms of took) expect(ms).toBeLessThan(12_000 + lateMs)
  await expectNoLeak(server, before)
})
