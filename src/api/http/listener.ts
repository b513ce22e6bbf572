import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { ClientKeys } from './client-address.ts'
import { createClientQuota } from './client-quota.ts'
import type { ServerLimits } from './limits.ts'
import { type ClientError, endWithProblem, toParserProblem } from './parser-errors.ts'
import { problems } from './problems.ts'

/** Dropped requests after which the connection is destroyed at once. */
const droppedMax = 512

type Pipeline = { latest: ServerResponse; waiting: number; dropped: number }

/**
 * Handles pipelined requests one at a time, because one packet of them could otherwise produce more
 * response bytes than memory holds. Requests beyond the limit get no response, and the connection
 * ends with the last one that fits.
 */
const serializePipelined = (
  handler: RequestListener,
  { waitingRequestsMax }: Pick<ServerLimits, 'waitingRequestsMax'>,
): RequestListener => {
  const pipelines = new WeakMap<Socket, Pipeline>()

  const drop = (pipeline: Pipeline, socket: Socket): void => {
    // Node closes the connection after this response.
    pipeline.latest.shouldKeepAlive = false
    pipeline.dropped += 1
    if (pipeline.dropped > droppedMax) socket.destroy()
  }

  return (request, response) => {
    const { socket } = request
    // Node parses the packet to its end even after the socket is destroyed.
    if (socket.destroyed) return
    const pipeline = pipelines.get(socket) ?? { latest: response, waiting: 0, dropped: 0 }
    pipelines.set(socket, pipeline)
    if (pipeline.dropped > 0 || pipeline.waiting >= waitingRequestsMax) {
      drop(pipeline, socket)
      return
    }
    const previous = pipeline.latest
    pipeline.latest = response
    // Node assigns the socket when the previous response is complete.
    if (response.socket !== null) {
      handler(request, response)
      return
    }
    pipeline.waiting += 1
    previous.once('close', () => {
      pipeline.waiting -= 1
      // Yields to other connections.
      setImmediate(() => {
        if (!socket.destroyed) handler(request, response)
      })
    })
  }
}

type ListenerDeps = {
  readonly limits: ServerLimits
  readonly nextRequestId: () => string
  readonly clients: ClientKeys
}

/** Drops connections beyond a client's share, as Node drops those beyond `maxConnections`. */
const limitConnections = (server: Server, { limits, clients }: ListenerDeps): void => {
  const quota = createClientQuota({
    total: limits.connectionsMax,
    perClient: limits.connectionsPerClientMax,
  })
  server.on('connection', (socket) => {
    const client = clients.ofSocket(socket)
    if (client === null) return
    if (quota.take(client) === 'taken') socket.once('close', () => quota.release(client))
    else socket.destroy()
  })
}

/** Node's server with every limit set, and problem documents where node has its own errors. */
export const createListener = (handler: RequestListener, deps: ListenerDeps): Server => {
  const { limits, nextRequestId } = deps
  const handle = serializePipelined(handler, limits)
  const server = createServer(
    {
      maxHeaderSize: limits.headerBytesMax,
      headersTimeout: limits.headersMsMax,
      requestTimeout: limits.requestMsMax,
      connectionsCheckingInterval: limits.checkEveryMs,
      keepAliveTimeout: limits.keepAliveMsMax,
      // The request guard checks it and sends a problem document.
      requireHostHeader: false,
      insecureHTTPParser: false,
    },
    handle,
  )
  server.timeout = limits.idleMsMax
  server.maxConnections = limits.connectionsMax
  limitConnections(server, deps)
  // A server may ignore expectations (RFC 9110 §10.1.1).
  server.on('checkExpectation', handle)
  server.on('connect', (_request, socket) => {
    // Node has detached its own error listener from this socket.
    socket.on('error', () => socket.destroy())
    endWithProblem(socket, problems.methodNotAllowed(), nextRequestId())
  })
  server.on('clientError', (error: ClientError, socket) => {
    if (error.code === 'ECONNRESET') socket.destroy()
    else endWithProblem(socket, toParserProblem(error, limits), nextRequestId())
  })
  return server
}

/** Why the server cannot listen, as one line for people. */
export type ListenFault = {
  readonly kind: 'port-in-use' | 'not-permitted' | 'no-such-address'
  readonly detail: string
}

const listenFaults: Readonly<Record<string, { kind: ListenFault['kind']; text: string }>> = {
  EADDRINUSE: { kind: 'port-in-use', text: 'the port is in use' },
  EACCES: { kind: 'not-permitted', text: 'the system does not permit it' },
  EADDRNOTAVAIL: { kind: 'no-such-address', text: 'this machine has no such address' },
  ENOTFOUND: { kind: 'no-such-address', text: 'no such host' },
}

/** `host:port` as in a URL. */
export const formatHostPort = (host: string, port: number): string =>
  `${host.includes(':') ? `[${host}]` : host}:${port}`

/** Throws errors that are not in the table: they are bugs. */
export const toListenFault = (error: unknown, hostPort: string): ListenFault => {
  const fault = listenFaults[(error as { readonly code?: string }).code ?? '']
  if (fault === undefined) throw error
  return { kind: fault.kind, detail: `cannot listen on ${hostPort}: ${fault.text}` }
}
