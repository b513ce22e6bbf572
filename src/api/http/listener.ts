import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { ServerLimits } from './limits.ts'
import { type ClientError, endWithProblem, problemOfClientError } from './parser-errors.ts'
import { methodNotAllowed } from './problems.ts'

/**
 * Requests that were sent without waiting for the reply before are handled one after the other:
 * else one packet of them could make more replies than memory holds, for somebody who never reads.
 */
const inTurn = (
  handler: RequestListener,
  { waitingRequestsMax }: Pick<ServerLimits, 'waitingRequestsMax'>,
): RequestListener => {
  const latest = new WeakMap<Socket, ServerResponse>()
  const waiting = new WeakMap<Socket, number>()
  return (request, response) => {
    const { socket } = request
    // node goes on to the end of the packet that it has begun.
    if (socket.destroyed) return
    const before = latest.get(socket)
    latest.set(socket, response)
    // node gives a reply its socket when the one before it is through.
    if (before === undefined || response.socket !== null) {
      handler(request, response)
      return
    }
    const count = (waiting.get(socket) ?? 0) + 1
    waiting.set(socket, count)
    if (count > waitingRequestsMax) {
      socket.destroy()
      return
    }
    before.once('close', () => {
      waiting.set(socket, (waiting.get(socket) ?? 1) - 1)
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
  const answer = inTurn(handler, limits)
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
