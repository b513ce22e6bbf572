import { createServer, type RequestListener, type Server } from 'node:http'
import type { ServerLimits } from './limits.ts'
import { type ClientError, endWithProblem, problemOfClientError } from './parser-errors.ts'
import { inTurn } from './pipelining.ts'
import { methodNotAllowed } from './problems.ts'

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
