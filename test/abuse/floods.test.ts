import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AbusedServer, byTier, longPoll, startAbusedServer } from './abused-server.ts'
import { getRequest, openConnection, sendAll } from './wire.ts'

/* Floods of one kind of request: cheap, answered and without a leak. */

let server: AbusedServer
beforeAll(async () => {
  server = await startAbusedServer()
})
afterAll(() => server.stop())

const times = (count: number, make: (at: number) => string): readonly string[] =>
  Array.from({ length: count }, (_, at) => make(at))

const pools = (headers: string) => getRequest('/api/v1/pools', headers)
const tags = '"aaaaaaaaaaaaaaaaaaaaaa", '.repeat(315)

const floods: readonly (readonly [string, number, number, (at: number) => string])[] = [
  ['the same question', 20_000, 200, () => pools('')],
  ['HEAD', 20_000, 200, () => 'HEAD /api/v1/pools HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['OPTIONS', 20_000, 204, () => 'OPTIONS /api/v1/pools HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['OPTIONS *', 5000, 204, () => 'OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['paths that are none', 10_000, 404, (at) => getRequest(`/${at.toString(36).repeat(20)}`)],
  ['faults', 10_000, 400, (at) => getRequest(`/api/v1/pools?limit=${at + 51}`)],
  ['measurements', 3000, 200, () => getRequest('/metrics')],
  [
    'measurements, compressed',
    3000,
    200,
    () => getRequest('/metrics', 'Accept-Encoding: gzip\r\n'),
  ],
  ['the document, compressed', 3000, 200, () => getRequest('/docs', 'Accept-Encoding: br\r\n')],
  ['8 KB of tags', 3000, 200, () => pools(`If-None-Match: ${tags}"z"\r\n`)],
  ['8 KB of quotes', 3000, 200, () => pools(`If-None-Match: ${'W/"'.repeat(2700)}\r\n`)],
  ['1,000 codings', 3000, 200, () => pools(`Accept-Encoding: ${'gzip;q=0.1,'.repeat(1000)}br\r\n`)],
  [
    '1,000 weights',
    3000,
    200,
    (at) => pools(`Accept-Encoding: br${';q=0'.repeat(1000)};${at}\r\n`),
  ],
  ['1,000 ranges', 3000, 200, () => pools(`Range: bytes=${'0-0,'.repeat(1000)}1-1\r\n`)],
  ['900 headers', 3000, 200, () => pools('a: b\r\n'.repeat(900))],
  [
    'forwarded for 1,000',
    3000,
    200,
    () => pools(`X-Forwarded-For: ${'1.2.3.4, '.repeat(1000)}\r\n`),
  ],
]

test.each(floods)('%s', async (name, count, status, make) => {
  const requests = times(byTier(count / 5, count), make)
  const before = await server.usage()
  const counts = await server.whileServing(`${requests.length} times ${name}`, () =>
    sendAll(server.port, requests),
  )
  expect(counts).toEqual({ [status]: requests.length })
  expect((await server.usage()).heldBytes - before.heldBytes).toBeLessThan(20e6)
})

test('rejects 20 KB of headers every time', async () => {
  const text = getRequest('/api/v1/pools', `X: ${'a'.repeat(20_000)}\r\n`)
  const counts: number[] = []
  await server.whileServing('1000 times 20 KB of headers', async () => {
    for (let round = 0; round < 1000; round++) {
      const reply = await sendAll(server.port, [text], { connections: 1 })
      counts.push(reply[431] ?? 0)
    }
  })
  expect(counts).toEqual(counts.map(() => 1))
})

// A packet of 64 KB holds some 1,400 requests; 50 rows of each reply made 80 MB for each of them.
test('packets of requests from clients that do not read do not pile up responses', async () => {
  const own = await startAbusedServer({ market: 5000 })
  const before = await own.usage()
  const sockets = await Promise.all(Array.from({ length: 10 }, () => openConnection(own.port)))
  await own.whileServing('10 packets of 1,400 requests, unread', async () => {
    for (const [at, socket] of sockets.entries()) {
      socket.pause()
      const offsetOf = (n: number) => at * 1400 + n
      const packet = times(1400, (n) => getRequest(`/api/v1/pools?limit=50&offset=${offsetOf(n)}`))
      socket.write(packet.join(''))
    }
  })
  expect((await own.usage()).heldBytes - before.heldBytes).toBeLessThan(20e6)
  for (const socket of sockets) socket.destroy()
  await own.stop()
})

test('answers 100 requests of one packet in order', async () => {
  const offsets = Array.from({ length: 100 }, (_, at) => at * 3)
  const socket = await openConnection(server.port)
  let heard = ''
  socket.setEncoding('latin1').on('data', (chunk) => {
    heard += chunk
  })
  socket.write(offsets.map((offset) => getRequest(`/api/v1/pools?offset=${offset}`)).join(''))
  await expect
    .poll(
      () => [...heard.matchAll(/"offset":(\d+)\}/g)].map(([, offset]) => Number(offset)),
      longPoll,
    )
    .toEqual(offsets)
  socket.destroy()
})
