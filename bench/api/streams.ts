import { connect, type Socket } from 'node:net'

export type Subscribers = {
  readonly events: () => number
  readonly close: () => void
}

const marker = 'event: '

const countIn = (text: string): number => text.split(marker).length - 1

/** Clients of the complete stream; raw sockets keep their own cost low. */
export const openSubscribers = async (url: string, count: number): Promise<Subscribers> => {
  const { hostname, port } = new URL(url)
  let events = 0
  const open = (): Promise<Socket> =>
    new Promise((resolve, reject) => {
      const socket = connect(Number(port), hostname)
      socket.once('error', reject)
      socket.once('data', () => resolve(socket))
      socket.on('data', (bytes) => {
        events += countIn(bytes.toString('latin1'))
      })
      socket.write(`GET /api/v1/stream HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`)
    })
  const sockets: Socket[] = []
  while (sockets.length < count) {
    sockets.push(...(await Promise.all(Array.from({ length: 50 }, open))))
  }
  return {
    events: () => events,
    close: () => {
      for (const socket of sockets) socket.destroy()
    },
  }
}
