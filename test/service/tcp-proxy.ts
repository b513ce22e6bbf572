import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/** A TCP proxy that can be cut and reconnected. */
export type TcpProxy = {
  /** The far end's URL as seen through the proxy. */
  readonly url: string
  readonly host: string
  readonly cut: () => Promise<void>
  readonly reconnect: () => Promise<void>
}

export const createTcpProxy = async (to: string): Promise<TcpProxy> => {
  const far = new URL(to)
  const sockets = new Set<Socket>()
  let server: Server | null = null
  let port = 0

  const keep = (socket: Socket, other: Socket): void => {
    sockets.add(socket)
    socket.on('error', () => other.destroy())
    socket.on('close', () => {
      sockets.delete(socket)
      other.destroy()
    })
  }

  const reconnect = async (): Promise<void> => {
    const listening = createServer((near) => {
      const out = connect(Number(far.port), far.hostname)
      keep(near, out)
      keep(out, near)
      near.pipe(out).pipe(near)
    })
    await new Promise<void>((resolve, reject) => {
      listening.once('error', reject)
      listening.listen(port, '127.0.0.1', resolve)
    })
    port = (listening.address() as AddressInfo).port
    server = listening
  }

  const cut = async (): Promise<void> => {
    const listening = server
    server = null
    if (listening === null) return
    const closed = new Promise((resolve) => listening.close(resolve))
    for (const socket of sockets) socket.destroy()
    await closed
  }

  await reconnect()
  const host = `127.0.0.1:${port}`
  return { url: to.replace(far.host, host), host, cut, reconnect }
}
