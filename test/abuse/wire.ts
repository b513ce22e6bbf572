import { connect, type Socket } from 'node:net'

/** What comes back over a socket, byte for byte as latin1. */
export type RawResponse = { readonly text: string; readonly ms: number }

export type Reply = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const open = (port: number): Socket => {
  const socket = connect(port, '127.0.0.1')
  // How it ends is what the tests look at.
  socket.on('error', () => {})
  return socket
}

/** Opens a connection. */
export const openConnection = (port: number): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = open(port)
    socket.once('connect', () => resolve(socket)).once('error', reject)
  })

/** Writes the bytes as they are and waits until the server closes. */
export const sendRaw = (port: number, text: string | Buffer): Promise<RawResponse> =>
  new Promise((resolve) => {
    const began = performance.now()
    const socket = open(port)
    let heard = ''
    socket.setEncoding('latin1').on('data', (chunk) => {
      heard += chunk
    })
    socket.on('close', () => resolve({ text: heard, ms: performance.now() - began }))
    socket.write(typeof text === 'string' ? Buffer.from(text, 'latin1') : text)
  })

/** Measures how long the server keeps a connection open. */
export const measureLifetimeMs = (socket: Socket): Promise<number> => {
  const began = performance.now()
  socket.resume()
  return new Promise((resolve) => {
    socket.on('close', () => resolve(performance.now() - began))
  })
}

const headersOf = (lines: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    lines.map((line) => {
      const at = line.indexOf(':')
      return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()]
    }),
  )

const statusLine = /^HTTP\/1\.1 (\d{3}) /

/**
 * The replies in a text, one after the other, by their lengths; fails if anything is left over.
 * `bodiless`: those to HEAD.
 */
export const parseReplies = (text: string, bodiless = false): readonly Reply[] => {
  const replies: Reply[] = []
  let rest = text
  while (rest !== '') {
    const status = Number(statusLine.exec(rest)?.[1])
    const headEnd = rest.indexOf('\r\n\r\n')
    if (Number.isNaN(status) || headEnd === -1) throw new Error(`no reply: ${rest.slice(0, 100)}`)
    const headers = headersOf(rest.slice(0, headEnd).split('\r\n').slice(1))
    if (headers['transfer-encoding'] === 'chunked') {
      // Only where nothing is said: the last chunk is the first.
      rest = rest.replace('\r\n\r\n0\r\n\r\n', '\r\n\r\n')
    }
    const length =
      bodiless || [204, 304].includes(status) ? 0 : Number(headers['content-length'] ?? 0)
    const body = rest.slice(headEnd + 4, headEnd + 4 + length)
    replies.push({ status, headers, body })
    rest = rest.slice(headEnd + 4 + body.length)
  }
  return replies
}

export const getRequest = (target: string, headers = ''): string =>
  `GET ${target} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`

export const connectionClose = 'Connection: close\r\n'

/**
 * Sends requests over some connections, pipelined `depth` deep; counts the statuses. What a 429
 * leaves unanswered when it closes its connection is sent over another one.
 */
export const sendAll = async (
  port: number,
  requests: readonly string[],
  { connections = 8, depth = 25 }: { readonly connections?: number; readonly depth?: number } = {},
): Promise<Readonly<Record<number, number>>> => {
  const counts: Record<number, number> = {}
  const waiting = requests.toReversed()
  const drain = async (): Promise<void> => {
    let socket = await openConnection(port)
    while (waiting.length > 0) {
      const batch = waiting.splice(-depth).toReversed()
      const statuses = await batchOf(socket.setEncoding('latin1'), batch)
      for (const status of statuses) counts[status] = (counts[status] ?? 0) + 1
      if (statuses.at(-1) !== 429) continue
      waiting.push(...batch.slice(statuses.length).toReversed())
      socket.destroy()
      socket = await openConnection(port)
    }
    socket.destroy()
  }
  await Promise.all(Array.from({ length: connections }, drain))
  return counts
}

const statusOfReply = /HTTP\/1\.1 (\d{3}) /g
/** One byte less than it takes to see a status. */
const statusLineCut = 12

/** The statuses of a pipelined batch. */
const batchOf = (socket: Socket, batch: readonly string[]): Promise<readonly number[]> =>
  new Promise((resolve, reject) => {
    const statuses: number[] = []
    let tail = ''
    const hear = (chunk: string): void => {
      const text = tail + chunk
      for (const [, status] of text.matchAll(statusOfReply)) statuses.push(Number(status))
      tail = text.slice(-statusLineCut)
      if (statuses.length >= batch.length) finish(resolve)
    }
    const close = (): void => {
      if (statuses.at(-1) === 429) finish(resolve)
      else finish(() => reject(new Error('closed before all was answered')))
    }
    const finish = (done: (statuses: readonly number[]) => void): void => {
      socket.off('data', hear).off('close', close)
      done(statuses)
    }
    socket.on('data', hear).on('close', close)
    socket.write(batch.join(''))
  })
