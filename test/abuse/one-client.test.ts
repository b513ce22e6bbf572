import { connect, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { longPoll, startAbusedServer } from './abused-server.ts'
import type { Settings } from './server-process.ts'
import { getRequest, parseReplies, sendAll, sendRaw } from './wire.ts'

/* One client that takes all it can get: others are served as before. */

const start = async (settings: Settings = {}) => {
  const server = await startAbusedServer(settings)
  onTestFinished(server.stop)
  return server
}

/** Connections from an address of this machine's loopback network. */
const openFrom = (localAddress: string, port: number): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, localAddress })
    socket.once('connect', () => resolve(socket)).once('error', reject)
    onTestFinished(() => void socket.destroy())
  })

const openManyFrom = (localAddress: string, port: number, count: number) =>
  Promise.all(Array.from({ length: count }, () => openFrom(localAddress, port)))

const countOpen = (sockets: readonly Socket[]) => sockets.filter(({ closed }) => !closed).length

const health = getRequest('/api/v1/health', 'Connection: close\r\n')

const askFrom = async (localAddress: string, port: number, request = health): Promise<string> => {
  const socket = await openFrom(localAddress, port)
  let heard = ''
  socket.setEncoding('latin1').on('data', (chunk) => {
    heard += chunk
  })
  socket.on('error', () => {})
  socket.write(request)
  await expect.poll(() => heard !== '' || socket.closed, longPoll).toBe(true)
  return heard
}

test('one address holds 128 connections, and others are served', async () => {
  const server = await start({ trustedProxies: [] })
  const sockets = await openManyFrom('127.0.0.2', server.port, 600)
  for (const socket of sockets) socket.on('error', () => {}).resume()
  await expect.poll(() => countOpen(sockets), longPoll).toBe(128)
  expect(await askFrom('127.0.0.3', server.port)).toMatch(/^HTTP\/1.1 200 /)
  expect(await askFrom('127.0.0.2', server.port)).toBe('')
  for (const socket of sockets) socket.destroy()
  // What it gives up it may have again.
  const answer = () => askFrom('127.0.0.2', server.port)
  await expect.poll(answer, longPoll).toMatch(/^HTTP\/1.1 200 /)
})

test('a trusted proxy holds more, for many clients', async () => {
  const server = await start()
  const sockets = await openManyFrom('127.0.0.1', server.port, 300)
  for (const socket of sockets) socket.resume()
  expect(await askFrom('127.0.0.1', server.port)).toMatch(/^HTTP\/1.1 200 /)
  expect(countOpen(sockets)).toBe(300)
})

const listenAs = async (client: string, port: number) => {
  const socket = await openFrom('127.0.0.1', port)
  let heard = ''
  socket.setEncoding('latin1').on('data', (chunk) => {
    heard += chunk
  })
  socket.write(getRequest('/api/v1/stream', `X-Forwarded-For: ${client}\r\n`))
  await expect.poll(() => heard.includes('\r\n\r\n'), longPoll).toBe(true)
  return { socket, isOpen: heard.startsWith('HTTP/1.1 200 '), heard: () => heard }
}

test.each<readonly [string, (at: number) => string]>([
  ['an IPv4 address', () => '198.51.100.7'],
  ['an IPv4 address in two forms', (at) => (at % 2 === 0 ? '::ffff:198.51.100.7' : '198.51.100.7')],
  ['the addresses of an IPv6 /64', (at) => `2001:db8:1:2:${(at * 601).toString(16)}::9`],
])('%s: holds 20 streams, and others get theirs', async (what, addressOf) => {
  const server = await start()
  const streams = await server.whileServing(`100 streams of ${what}`, async () => {
    const opened: Awaited<ReturnType<typeof listenAs>>[] = []
    for (let at = 0; at < 100; at++) opened.push(await listenAs(addressOf(at), server.port))
    return opened
  })
  const open = streams.filter(({ isOpen }) => isOpen)
  expect(open).toHaveLength(20)
  const refused = streams.find(({ isOpen }) => !isOpen)
  await expect.poll(() => refused?.socket.closed, longPoll).toBe(true)
  const [reply] = parseReplies(refused?.heard() ?? '')
  expect(reply).toMatchObject({ status: 429, headers: { connection: 'close' } })
  expect(JSON.parse(reply?.body ?? '').error).toEqual({
    code: 'rate_limited',
    message: 'limit of 20 open streams per client address reached',
  })
  for (const other of ['198.51.100.8', '2001:db8:1:3::1'])
    expect((await listenAs(other, server.port)).isOpen).toBe(true)
  // A stream that ends makes room for another.
  open[0]?.socket.destroy()
  const again = async () => (await listenAs(addressOf(1), server.port)).isOpen
  await expect.poll(again, longPoll).toBe(true)
})

test('a 429 closes its connection, however many requests wait behind it', async () => {
  const server = await start({ rateLimitPerMinute: 60 })
  const request = getRequest('/api/v1/pools', 'X-Forwarded-For: 198.51.100.7\r\n')
  const { text } = await sendRaw(server.port, request.repeat(100))
  const replies = parseReplies(text)
  expect(replies.map(({ status }) => status)).toEqual([...Array(30).fill(200), 429])
  expect(replies.at(-1)?.headers.connection).toBe('close')
  const other = getRequest('/api/v1/pools', 'X-Forwarded-For: 198.51.100.8\r\n')
  expect(await sendAll(server.port, [other], { connections: 1 })).toEqual({ 200: 1 })
})
