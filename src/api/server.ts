import { randomBytes } from 'node:crypto'
import type { RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type FastifyInstance, type FastifyRequest, fastify } from 'fastify'
import { failure, type Outcome, success } from '../domain/outcome.ts'
import type { Market } from '../market/market.ts'
import type { Clock, Logger } from '../ports/runtime.ts'
import { createFastPath } from './http/fast-path.ts'
import type { ServerLimits } from './http/limits.ts'
import { createListener, type ListenFault, listenFaultOf, placeOf } from './http/listener.ts'
import { internalError } from './http/problems.ts'
import { createRateCheck } from './http/rate-limit.ts'
import { createRequestGuard } from './http/request-guard.ts'
import { pathOf, routableTarget } from './http/request-target.ts'
import { createResponseCache } from './http/response-cache.ts'
import { createSendAnswer, sendProblem } from './http/send-response.ts'
import type { Metrics, RequestTimer } from './metrics/metrics.ts'
import { addRoutes } from './routes/register.ts'
import type { Catalogue, NetworkFacts } from './routes/route.ts'

export type ServerParts = {
  readonly market: Market
  readonly catalogue: Catalogue
  readonly network: NetworkFacts
  readonly clock: Clock
  readonly metrics: Pick<Metrics, 'meter' | 'text'>
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
  /** Breaks all connections off, as a fault of the network would. */
  readonly cut: () => void
  /** Lets running requests end, but not for ever. */
  readonly close: () => Promise<void>
}

/** Unique to this run of the server, short enough to read out. */
const createRequestIds = () => {
  const run = randomBytes(4).toString('hex')
  let count = 0
  return () => `${run}-${(++count).toString(36)}`
}

/** No route has a schema: what Fastify would check and write with them is not loaded. */
const noCompiler = (): never => {
  throw new Error('no route has a schema')
}

type Wrap = (handler: RequestListener) => RequestListener

const createApp = (
  limits: ServerLimits,
  nextRequestId: () => string,
  wrap: Wrap,
): FastifyInstance =>
  fastify({
    logger: false,
    genReqId: nextRequestId,
    rewriteUrl: (request) => routableTarget(request.url ?? '/'),
    // The tables of fields read the raw text: Fastify's own parser merges and coerces.
    routerOptions: {
      querystringParser: (raw) => ({ raw }),
      maxParamLength: limits.headerBytesMax,
    },
    schemaController: {
      compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler },
    },
    exposeHeadRoutes: false,
    bodyLimit: 1,
    forceCloseConnections: 'idle',
    // Fastify's own 503 is no problem document; what comes while closing is answered.
    return503OnClosing: false,
    serverFactory: (handler) => createListener(wrap(handler), { limits, nextRequestId }),
    // The listener has its own.
    clientErrorHandler: () => {},
  })

/** Counts what takes the long way; a stream's duration says nothing about the service. */
const addMeter = (
  app: FastifyInstance,
  meter: RequestTimer,
  unmeasured: ReadonlySet<string>,
): void => {
  const begunMs = new WeakMap<FastifyRequest, number>()
  app.addHook('onRequest', (request, _reply, pass) => {
    begunMs.set(request, meter.begin())
    pass()
  })
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.is404 ? 'none' : (request.routeOptions.url ?? 'none')
    const status = reply.raw.statusCode
    if (!unmeasured.has(route)) meter.end(begunMs.get(request) ?? meter.begin(), { route, status })
    done()
  })
}

/** Fastify with its door, its routes and the short lane beside them. */
const createRoutedApp = (parts: ServerParts, isClosing: () => boolean) => {
  const { limits, logger, market, catalogue, network, metrics } = parts
  const { meter } = metrics
  const kept = createResponseCache(market.stamp)
  const send = createSendAnswer(isClosing)
  const rates = createRateCheck(parts)
  const lane: Wrap = (next) => createFastPath({ kept, send, rates, meter, isClosing, next })
  const app = createApp(limits, createRequestIds(), lane)
  const uncounted = Object.values(catalogue)
    .flat()
    .filter(({ rateLimited }) => !rateLimited)
  const uncountedPaths = new Set(uncounted.map(({ path }) => path))
  const rawPaths = new Set<string>(catalogue.channels.map(({ path }) => path))
  app.addHook(
    'onRequest',
    createRequestGuard({ ...parts, rates, uncountedPaths, bodyPaths: rawPaths }),
  )
  addMeter(app, meter, rawPaths)
  app.addHook('onSend', (_request, reply, payload, done) => {
    // What began before closing ends its connection as well, or closing would wait for keep-alive.
    if (isClosing()) reply.header('connection', 'close')
    done(null, payload)
  })
  app.setErrorHandler((error, request, reply) => {
    const { id: requestId, method } = request
    logger.error('a request failed', { requestId, method, path: pathOf(request.url), error })
    sendProblem(request, reply, internalError)
  })
  const measure = metrics.text
  const context = { market, network, measure, logger, catalogue }
  return { app, opened: addRoutes(app, { context, kept, send, rates }) }
}

/** The HTTP interface over a market (docs/api.md). */
export const createServer = (parts: ServerParts): ApiServer => {
  const { limits, logger } = parts
  let closing = false
  const { app, opened } = createRoutedApp(parts, () => closing)

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
    cut: () => app.server.closeAllConnections(),
    close: async () => {
      closing = true
      const cut = setTimeout(() => app.server.closeAllConnections(), limits.closeMsMax)
      await Promise.all(opened.map((channel) => channel.close()))
      await app.close()
      clearTimeout(cut)
    },
  }
}
