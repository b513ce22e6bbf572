import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  type AbusedServer,
  byTier,
  expectNoLeak,
  longPoll,
  startAbusedServer,
} from './abused-server.ts'
import { getRequest, openConnection, parseReplies, sendRaw } from './wire.ts'

/* Thousands of subscribers, many of which do not read. */

let server: AbusedServer
beforeEach(async () => {
  server = await startAbusedServer()
})
afterEach(() => server.stop())

const subscribersMax = 2000

let clients = 0
/** Another client each time, behind the trusted proxy. */
const forwarded = (): string => {
  clients += 1
  return `X-Forwarded-For: 10.${clients >> 16}.${(clients >> 8) % 256}.${clients % 256}\r\n`
}

const listen = async (query = '', headers = '') => {
  const socket = await openConnection(server.port)
  socket.write(getRequest(`/api/v1/stream${query}`, forwarded() + headers))
  return socket
}

const listenMany = async (count: number, open: (at: number) => Promise<Socket>) => {
  const sockets: Socket[] = []
  while (sockets.length < count) {
    const first = sockets.length
    const some = Math.min(50, count - first)
    sockets.push(...(await Promise.all(Array.from({ length: some }, (_, at) => open(first + at)))))
  }
  return sockets
}

const idOf = (at: number): string => `0x${at.toString(16).padStart(40, '0')}`

const drop = async (sockets: readonly Socket[]): Promise<void> => {
  for (const socket of sockets) socket.destroy()
  await sleep(500)
}

test('accepts 2,000 subscribers with different filters and rejects the next', async () => {
  const before = await server.usage()
  const sockets = await server.whileServing('2000 listeners', async () => {
    const all = await listenMany(subscribersMax, (at) => listen(`?id=${idOf(at)}`))
    for (const socket of all) socket.resume()
    return all
  })
  // The rejection closes the connection by itself.
  const { text } = await sendRaw(server.port, getRequest('/api/v1/stream', forwarded()))
  const [refusal] = parseReplies(text)
  expect([refusal?.status, refusal?.headers['retry-after']]).toEqual([429, '10'])
  expect(refusal?.body).toContain('limit of 2000 open streams reached')
  await server.whileServing('2000 news to 2000 that hear something else', () =>
    server.publish(2000),
  )
  await drop(sockets)
  await expectNoLeak(server, before)
})

test('events for 1,000 subscribers do not delay requests', async () => {
  let heard = 0
  const sockets = await listenMany(1000, () => listen())
  for (const socket of sockets) {
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      heard += chunk.split('event: pool').length - 1
    })
  }
  await server.whileServing('50 news a second to 1000 listeners', async () => {
    heard = 0
    for (let round = 0; round < 10; round++) {
      await server.publish(10)
      await sleep(200)
    }
    await expect.poll(() => heard, longPoll).toBe(100_000)
  })
  await drop(sockets)
})

test('disconnects subscribers that do not read and bounds their memory', async () => {
  const deaf = await listenMany(byTier(200, 1000), (at) =>
    listen(at % 2 === 0 ? '' : `?id=${idOf(at)}`),
  )
  for (const socket of deaf) socket.pause()
  const before = await server.usage()
  await server.whileServing(`${deaf.length} deaf listeners`, async () => {
    for (let round = 0; round < 60; round++) {
      await server.publish(10, 10_000)
      await sleep(20)
    }
  })
  expect((await server.usage()).heldBytes - before.heldBytes).toBeLessThan(30e6)
  await drop(deaf)
})

/** The name of this run, and so what an event id of it looks like. */
const runOf = async (): Promise<string> => {
  const socket = await listen()
  let heard = ''
  socket.setEncoding('latin1').on('data', (chunk) => {
    heard += chunk
  })
  const find = () => /id: ([0-9a-f]{8})-/.exec(heard)?.[1]
  await expect.poll(find, longPoll).toBeDefined()
  socket.destroy()
  return find() ?? ''
}

// The ring holds 16 MB: a copy of it for each who comes back would be 32 GB.
test('replays to clients that do not read take no memory', async () => {
  const run = await runOf()
  for (let round = 0; round < 40; round++) await server.publish(100, 1000)
  const before = await server.usage()
  const deaf = await server.whileServing('50 who come back for 12 MB each', () =>
    listenMany(50, async () => {
      const socket = await listen('', `Last-Event-ID: ${run}-500\r\n`)
      return socket.pause()
    }),
  )
  await sleep(500)
  expect((await server.usage()).heldBytes - before.heldBytes).toBeLessThan(20e6)
  await drop(deaf)
  const reader = await listen('', `Last-Event-ID: ${run}-500\r\n`)
  let heard = ''
  reader.setEncoding('latin1').on('data', (chunk) => {
    heard += chunk
  })
  // All of it, once, in order, and then what is new.
  await expect.poll(() => heard.includes(`id: ${run}-4000`), longPoll).toBe(true)
  await server.publish(1)
  await expect.poll(() => heard.includes(`id: ${run}-4001`), longPoll).toBe(true)
  const ids = [...heard.matchAll(/^id: \w+-(\d+)\r?$/gm)].map(([, id]) => Number(id))
  expect(ids).toEqual(Array.from({ length: 3501 }, (_, at) => 501 + at))
  reader.destroy()
})

test('subscribers that come and go do not leak', async () => {
  const storm = async (count: number, first: number): Promise<void> => {
    for (let done = 0; done < count; done += 50) {
      const sockets = await listenMany(50, (at) => listen(`?id=${idOf(first + done + at)}`))
      for (const socket of sockets) socket.destroy()
    }
  }
  await storm(1000, 1e6)
  await sleep(300)
  const before = await server.usage()
  await server.whileServing('a storm of listeners', () => storm(byTier(2000, 20_000), 0))
  await expectNoLeak(server, before, 5e6)
  // No subscriber is left, so publishing is no work.
  expect(await server.publish(2000)).toBeLessThan(200)
})
