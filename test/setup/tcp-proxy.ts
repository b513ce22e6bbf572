import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/** A way to a server that fails as networks do. It begins by passing everything on. */
export type TcpProxy = {
  /** The far end's URL as seen through the proxy. */
  readonly url: string
  readonly port: number
  /** All connections break, and new ones are refused. */
  readonly cut: () => Promise<void>
  /** Connections stay and are accepted, but no byte goes through, without an error. */
  readonly stall: () => Promise<void>
  /** New connections pass again; stalled ones resume. */
  readonly pass: () => Promise<void>
  /**
   * The next answer to a COMMIT of PostgreSQL is not delivered: its connection breaks instead.
   * Resolves once that has happened.
   */
  readonly loseCommitAnswer: () => Promise<void>
  /** Stalls everything at the next COMMIT, which is not delivered. Resolves once it has come. */
  readonly stallAtCommit: () => Promise<void>
}

type Pair = { readonly near: Socket; readonly far: Socket }

/** CommandComplete of a COMMIT (postgresql.org/docs, "Message Formats"): `C`, length, tag. */
const commitAnswer = Buffer.from('C\0\0\0\x0bCOMMIT\0', 'latin1')
/** Query of the same text. */
const commitQuery = Buffer.from('Q\0\0\0\x0bCOMMIT\0', 'latin1')

type Trap = { readonly of: Buffer; readonly spring: (pair: Pair) => void }

export const layProxy = async (to: string): Promise<TcpProxy> => {
  const target = new URL(to)
  const pairs = new Set<Pair>()
  let server: Server | null = null
  let port = 0
  let isStalled = false
  let trap: Trap | null = null

  const drop = (pair: Pair): void => {
    pairs.delete(pair)
    pair.near.destroy()
    pair.far.destroy()
  }

  const join = (near: Socket): void => {
    const pair = { near, far: connect(Number(target.port), target.hostname) }
    pairs.add(pair)
    for (const socket of [pair.near, pair.far]) {
      socket.on('error', () => drop(pair))
      socket.on('close', () => drop(pair))
      if (isStalled) socket.pause()
    }
    const carry = (chunk: Buffer, to: Socket): void => {
      const sprung = trap !== null && chunk.includes(trap.of) ? trap : null
      if (sprung === null) {
        to.write(chunk)
        return
      }
      trap = null
      sprung.spring(pair)
    }
    near.on('data', (chunk) => carry(chunk, pair.far))
    pair.far.on('data', (chunk) => carry(chunk, near))
    if (isStalled) for (const socket of [pair.near, pair.far]) socket.pause()
  }

  const open = async (): Promise<void> => {
    const listening = createServer(join)
    await new Promise<void>((resolve, reject) => {
      listening.once('error', reject)
      listening.listen(port, '127.0.0.1', resolve)
    })
    port = (listening.address() as AddressInfo).port
    server = listening
  }

  const each = (act: (socket: Socket) => void): void => {
    for (const { near, far } of pairs) [near, far].forEach(act)
  }

  const stall = (): void => {
    isStalled = true
    each((socket) => socket.pause())
  }

  await open()
  return {
    url: to.replace(target.host, `127.0.0.1:${port}`),
    port,
    cut: async () => {
      const listening = server
      server = null
      const closed = new Promise((resolve) => listening?.close(resolve) ?? resolve(null))
      for (const pair of [...pairs]) drop(pair)
      await closed
    },
    stall: async () => stall(),
    pass: async () => {
      isStalled = false
      each((socket) => socket.resume())
      if (server === null) await open()
    },
    loseCommitAnswer: () =>
      new Promise((resolve) => {
        trap = {
          of: commitAnswer,
          spring: (pair) => {
            drop(pair)
            resolve()
          },
        }
      }),
    stallAtCommit: () =>
      new Promise((resolve) => {
        trap = {
          of: commitQuery,
          spring: () => {
            stall()
            resolve()
          },
        }
      }),
  }
}
