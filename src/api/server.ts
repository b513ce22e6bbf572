import { randomBytes } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { type FastifyInstance, fastify } from 'fastify'
import { failure, type Outcome, success } from '../domain/outcome.ts'
import type { Clock, Logger } from '../ports/process.ts'
import { createDoor } from './door.ts'
import { internal } from './errors.ts'
import type { ServerLimits } from './limits.ts'
import { type ListenFault, listenFaultOf, placeOf } from './listen-fault.ts'
import { createListener } from './listener.ts'
import type { Market } from './market.ts'
import { sendProblem } from './reply.ts'
import { endpoints } from './routes/registry.ts'
import { addRoutes } from './routing.ts'
import { pathOf, routableTarget } from './target.ts'

export type ServerParts = {
  readonly market: Market
  readonly network: { readonly name: string; readonly sandbox: boolean }
  readonly clock: Clock
  readonly logger: Logger
  readonly limits: ServerLimits
  /** Requests per minute and client; 0: no limit. */
  readonly rateLimitPerMinute: number
  /** IP addresses and CIDR ranges whose X-Forwarded-For is believed. */
  readonly trustedProxies: readonly string[]
}

export type ApiServer = {
  /** The base URL that it answers at; port 0 takes any free port. */
  readonly listen: (at: {
    readonly host: string
    readonly port: number
  }) => Promise<Outcome<string, ListenFault>>
  /** The base URL; null while it does not listen. */
  readonly address: () => string | null
  /** Lets running requests end, but not for ever. */
  readonly close: () => Promise<void>
}

/** Unique to this run of the server, short enough to read out. */
const createRequestIds = () => {
  const run = randomBytes(4).toString('hex')
  let count = 0
  return () => `${run}-${(++count).toString(36)}`
}

const createApp = (limits: ServerLimits, nextRequestId: () => string): FastifyInstance =>
  fastify({
    logger: false,
    genReqId: nextRequestId,
    rewriteUrl: (request) => routableTarget(request.url ?? '/'),
    // The tables of fields read the raw text: Fastify's own parser merges and coerces.
    routerOptions: {
      querystringParser: (raw) => ({ raw }),
      maxParamLength: limits.headerBytesMax,
    },
    exposeHeadRoutes: false,
    bodyLimit: 1,
    forceCloseConnections: 'idle',
    // Fastify's own 503 is no problem document; what comes while closing is answered.
    return503OnClosing: false,
    serverFactory: (handler) => createListener(handler, { limits, nextRequestId }),
    // The listener has its own.
    clientErrorHandler: () => {},
  })

/** The HTTP interface over a market (docs/api.md). */
export const createServer = (parts: ServerParts): ApiServer => {
  const { limits, logger, market, network } = parts
  const app = createApp(limits, createRequestIds())
  const uncounted = endpoints.filter(({ rateLimited }) => !rateLimited).map(({ path }) => path)
  app.addHook('onRequest', createDoor({ ...parts, uncountedPaths: new Set(uncounted) }))
  app.setErrorHandler((error, request, reply) => {
    const { id: requestId, method } = request
    logger.error('a request failed', { requestId, method, path: pathOf(request.url), error })
    sendProblem(request, reply, internal)
  })
  let closing = false
  app.addHook('onSend', (_request, reply, payload, done) => {
    // What began before closing ends its connection as well, or closing would wait for keep-alive.
    if (closing) reply.header('connection', 'close')
    done(null, payload)
  })
  addRoutes(app, { market, network, endpoints })

  const address = () => {
    const bound = app.server.address() as AddressInfo | null
    return bound === null ? null : `http://${placeOf(bound.address, bound.port)}`
  }

  return {
    listen: async ({ host, port }) => {
      try {
        await app.listen({ host, port })
      } catch (error) {
        return failure(listenFaultOf(error, placeOf(host, port)))
      }
      // Later errors are failed accepts, of which the listener survives.
      app.server.on('error', (error) => logger.warn('a connection was not accepted', { error }))
      return success(address() ?? '')
    },
    address,
    close: async () => {
      closing = true
      const cut = setTimeout(() => app.server.closeAllConnections(), limits.closeMsMax)
      await app.close()
      clearTimeout(cut)
    },
  }
}
