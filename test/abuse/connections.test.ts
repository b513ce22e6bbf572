import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished, test } from 'vitest'
import { byTier, expectNoLeak, startAbusedServer } from './abused-server.ts'
import { getRequest, openConnection } from './wire.ts'

const start = async (connectionsMax: number) => {
  const server = await startAbusedServer({ limits: { connectionsMax } })
  onTestFinished(server.stop)
  return server
}

const openMany = async (port: number, count: number): Promise<readonly Socket[]> => {
  const sockets: Socket[] = []
  while (sockets.length < count) {
    const some = Math.min(100, count - sockets.length)
    sockets.push(...(await Promise.all(Array.from({ length: some }, () => openConnection(port)))))
  }
  return sockets
}

const isClosed = (socket: Socket): Promise<boolean> =>
  socket.closed || socket.destroyed
    ? Promise.resolve(true)
    : Promise.race([
        new Promise<boolean>((resolve) => socket.on('close', () => resolve(true)).resume()),
        sleep(2000).then(() => false),
      ])

test('connections beyond the limit do not affect the open ones', async () => {
  const max = byTier(1000, 4096)
  const beyond = byTier(3000, 10_000)
  const server = await start(max)
  const before = await server.usage()
  await server.whileServing(`${max} connections held and ${beyond} more tried`, async () => {
    // One is the normal client's.
    const held = await openMany(server.port, max - 1)
    for (let tried = 0; tried < beyond; tried += 100) {
      for (const socket of await openMany(server.port, 100)) socket.destroy()
    }
    for (const socket of held) socket.destroy()
  })
  await expectNoLeak(server, before)
})

test('half-closed, reset and silent connections do not leak', async () => {
  const server = await startAbusedServer()
  onTestFinished(server.stop)
  const count = byTier(1000, 10_000)
  const before = await server.usage()
  await server.whileServing(`${count} connections broken off`, async () => {
    for (let done = 0; done < count; done += 100) {
      const sockets = await openMany(server.port, 100)
      for (const [at, socket] of sockets.entries()) {
        if (at % 4 === 0) socket.end(getRequest('/api/v1/pools'))
        if (at % 4 === 1) socket.write(getRequest('/api/v1/pools').slice(0, 30), () => socket.end())
        if (at % 4 === 2)
          socket.write(getRequest('/docs').repeat(20), () => socket.resetAndDestroy())
        if (at % 4 === 3) socket.end()
        socket.resume()
      }
      await Promise.all(sockets.map(isClosed))
    }
  })
  await expectNoLeak(server, before)
})
