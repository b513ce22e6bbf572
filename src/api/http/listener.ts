import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { ServerLimits } from './limits.ts'
import { type ClientError, endWithProblem, problemOfClientError } from './parser-errors.ts'
import { methodNotAllowed } from './problems.ts'

/** Requests dropped unanswered while the replies before them go out; more is a flood. */
const droppedMax = 512

type Line = { latest: ServerResponse; waiting: number; dropped: number }

/**
 * Handles pipelined requests one after the other: else one packet of them could make more replies
 * than memory holds, for a client that never reads. What is beyond the limit gets no reply: the
 * connection ends with the last one that fits.
 */
const serializePipelined = (
  handler: RequestListener,
  { waitingRequestsMax }: Pick<ServerLimits, 'waitingRequestsMax'>,
): RequestListener => {
  const lines = new WeakMap<Socket, Line>()

  const drop = (line: Line, socket: Socket): void => {
    // node ends the connection after a reply that does not keep it.
    line.latest.shouldKeepAlive = false
    line.dropped += 1
    if (line.dropped > droppedMax) socket.destroy()
  }

  return (request, response) => {
    const { socket } = request
    // node goes on to the end of the packet that it has begun.
    if (socket.destroyed) return
    const line = lines.get(socket) ?? { latest: response, waiting: 0, dropped: 0 }
    lines.set(socket, line)
    if (line.dropped > 0 || line.waiting >= waitingRequestsMax) {
      drop(line, socket)
      return
    }
    const before = line.latest
    line.latest = response
    // node gives a reply its socket when the one before it is through.
    if (response.socket !== null) {
      handler(request, response)
      return
    }
    line.waiting += 1
    before.once('close', () => {
      line.waiting -= 1
      // Other connections have their turn in between.
      setImmediate(() => {
        if (!socket.destroyed) handler(request, response)
      })
    })
  }
}

type ListenerParts = {
  readonly limits: ServerLimits
  readonly nextRequestId: () => string
}

/** node's server with every limit of ours, and our replies where node would send its own. */
export const createListener = (
  handler: RequestListener,
  { limits, nextRequestId }: ListenerParts,
): Server => {
  const answer = serializePipelined(handler, limits)
  const server = createServer(
    {
      maxHeaderSize: limits.headerBytesMax,
      headersTimeout: limits.headersMsMax,
      requestTimeout: limits.requestMsMax,
      connectionsCheckingInterval: limits.checkEveryMs,
      keepAliveTimeout: limits.keepAliveMsMax,
      // The door checks it, so that the reply is a problem document.
      requireHostHeader: false,
      insecureHTTPParser: false,
    },
    answer,
  )
  server.timeout = limits.idleMsMax
  server.maxConnections = limits.connectionsMax
  // An expectation may be left unmet (RFC 9110 §10.1.1): no answer of ours depends on any.
  server.on('checkExpectation', answer)
  server.on('connect', (_request, socket) => {
    // node has let go of this socket: nobody else hears its errors.
    socket.on('error', () => socket.destroy())
    endWithProblem(socket, methodNotAllowed(), nextRequestId())
  })
  server.on('clientError', (error: ClientError, socket) => {
    if (error.code === 'ECONNRESET') socket.destroy()
    else endWithProblem(socket, problemOfClientError(error, limits), nextRequestId())
  })
  return server
}

/** Why a server can not listen where it should, as one line for people. */
export type ListenFault = {
  readonly kind: 'port-in-use' | 'not-permitted' | 'no-such-address'
  readonly detail: string
}

const faults: Readonly<Record<string, { kind: ListenFault['kind']; text: string }>> = {
  EADDRINUSE: { kind: 'port-in-use', text: 'the port is in use' },
  EACCES: { kind: 'not-permitted', text: 'the system does not permit it' },
  EADDRNOTAVAIL: { kind: 'no-such-address', text: 'this machine has no such address' },
  ENOTFOUND: { kind: 'no-such-address', text: 'no such host' },
}

/** `host:port` as in a URL. */
export const placeOf = (host: string, port: number): string =>
  `${host.includes(':') ? `[${host}]` : host}:${port}`

/** What is not in the table is a bug, and thrown on. */
export const listenFaultOf = (error: unknown, place: string): ListenFault => {
  const fault = faults[(error as { readonly code?: string }).code ?? '']
  if (fault === undefined) throw error
  return { kind: fault.kind, detail: `can not listen on ${place}: ${fault.text}` }
}
