import { randomBytes } from 'node:crypto'
import type { RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type FastifyInstance, type FastifyRequest, fastify } from 'fastify'
import { failure, type Outcome, success } from '../domain/outcome.ts'
import type { Market } from '../market/market.ts'
import type { ExportedFiles } from '../ports/exported-files.ts'
import type { Clock, Logger } from '../ports/runtime.ts'
import { type ClientKeys, createClientKeys } from './http/client-address.ts'
import {
  type CrossOriginAccess,
  createCrossOrigin,
  isLoopbackAddress,
} from './http/cross-origin.ts'
import { createFastPath } from './http/fast-path.ts'
import type { ServerLimits } from './http/limits.ts'
import { createListener, formatHostPort, type ListenFault, toListenFault } from './http/listener.ts'
import { problems } from './http/problems.ts'
import { createRateCheck } from './http/rate-limit.ts'
import { createRequestGuard } from './http/request-guard.ts'
import { routableTarget, targetPath } from './http/request-target.ts'
import { createResponseCache } from './http/response-cache.ts'
import { createSendResponse, sendProblem } from './http/send-response.ts'
import type { Metrics, RequestTimer } from './metrics/metrics.ts'
import { addRoutes } from './routes/register.ts'
import type { Catalogue, NetworkInfo } from './routes/route.ts'

export type ServerDeps = {
  readonly market: Market
  readonly catalogue: Catalogue
  readonly network: NetworkInfo
  /** Null: the service has no directory of exported files. */
  readonly exportedFiles: ExportedFiles | null
  readonly clock: Clock
  readonly metrics: Pick<Metrics, 'requestTimer' | 'text'>
  readonly logger: Logger
  readonly limits: ServerLimits
  /** Requests per minute and client; 0 disables the limit. */
  readonly rateLimitPerMinute: number
  /** IP addresses and CIDR ranges whose X-Forwarded-For is trusted. */
  readonly trustedProxies: readonly string[]
  /** Origins of pages that may use MCP, besides loopback and the service's own; `*`: all. */
  readonly allowedOrigins: readonly string[]
}

export type ApiServer = {
  /** Returns the base URL; port 0 takes any free port. */
  readonly listen: (at: {
    readonly host: string
    readonly port: number
  }) => Promise<Outcome<string, ListenFault>>
  /** The base URL; null while the server does not listen. */
  readonly address: () => string | null
  /** Closes all connections abruptly, as a network failure does. */
  readonly dropConnections: () => void
  /** Waits for running requests, at most `closeMsMax`. */
  readonly close: () => Promise<void>
}

/** Unique per run of the server and short enough to read aloud. */
const createRequestIds = () => {
  const run = randomBytes(4).toString('hex')
  let count = 0
  return () => `${run}-${(++count).toString(36)}`
}

/** No route has a Fastify schema, so its validator and serializer are not loaded. */
const noCompiler = (): never => {
  throw new Error('no route has a schema')
}

type Wrap = (handler: RequestListener) => RequestListener

type AppDeps = {
  readonly limits: ServerLimits
  readonly nextRequestId: () => string
  readonly clients: ClientKeys
}

const createApp = (deps: AppDeps, wrap: Wrap): FastifyInstance =>
  fastify({
    logger: false,
    genReqId: deps.nextRequestId,
    rewriteUrl: (request) => routableTarget(request.url ?? '/'),
    // `parseQuery` needs the raw text: Fastify's own parser merges and coerces.
    routerOptions: {
      querystringParser: (raw) => ({ raw }),
      maxParamLength: deps.limits.headerBytesMax,
    },
    schemaController: {
      compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler },
    },
    exposeHeadRoutes: false,
    bodyLimit: 1,
    forceCloseConnections: 'idle',
    // Fastify's own 503 is not a problem document; requests during shutdown are served.
    return503OnClosing: false,
    serverFactory: (handler) => createListener(wrap(handler), deps),
    // `createListener` handles these.
    clientErrorHandler: () => {},
  })

/** Times requests beside the fast path; the duration of a stream says nothing about the service. */
const addRequestTimer = (
  app: FastifyInstance,
  requestTimer: RequestTimer,
  unmeasured: ReadonlySet<string>,
): void => {
  const startedMs = new WeakMap<FastifyRequest, number>()
  app.addHook('onRequest', (request, _reply, pass) => {
    startedMs.set(request, requestTimer.start())
    pass()
  })
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.is404 ? 'none' : (request.routeOptions.url ?? 'none')
    const status = reply.raw.statusCode
    if (unmeasured.has(route)) return done()
    requestTimer.end(startedMs.get(request) ?? requestTimer.start(), { route, status })
    done()
  })
}

const findRestrictedPaths = (catalogue: Catalogue): ReadonlyMap<string, CrossOriginAccess> =>
  new Map(
    Object.values(catalogue)
      .flat()
      .flatMap(({ path, crossOrigin }) => (crossOrigin === undefined ? [] : [[path, crossOrigin]])),
  )

const boundAddress = (app: FastifyInstance) => app.server.address() as AddressInfo | null

/** Fastify with the request guard, the routes and the fast path. */
const createRoutedApp = (deps: ServerDeps, isClosing: () => boolean) => {
  const { limits, logger, market, catalogue, network, metrics } = deps
  const { requestTimer } = metrics
  const cache = createResponseCache(market.stamp)
  const send = createSendResponse(isClosing)
  const clients = createClientKeys(deps.trustedProxies)
  const rateCheck = createRateCheck({ ...deps, clients })
  const withFastPath: Wrap = (next) =>
    createFastPath({ cache, send, rateCheck, requestTimer, isClosing, next })
  const app = createApp({ limits, nextRequestId: createRequestIds(), clients }, withFastPath)
  const unlimited = Object.values(catalogue)
    .flat()
    .filter(({ rateLimited }) => !rateLimited)
  const unlimitedPaths = new Set(unlimited.map(({ path }) => path))
  const rawPaths = new Set<string>(catalogue.rawRoutes.map(({ path }) => path))
  const restrictedPaths = findRestrictedPaths(catalogue)
  const crossOrigin = createCrossOrigin({
    allowedOrigins: deps.allowedOrigins,
    isBoundToLoopback: () => isLoopbackAddress(boundAddress(app)?.address ?? ''),
  })
  const access = { restrictedPaths, crossOrigin }
  const guard = createRequestGuard({
    ...deps,
    ...access,
    rateCheck,
    unlimitedPaths,
    bodyPaths: rawPaths,
  })
  app.addHook('onRequest', guard)
  addRequestTimer(app, requestTimer, rawPaths)
  app.addHook('onSend', (_request, reply, payload, done) => {
    // Also for requests that began before closing: shutdown would otherwise wait for keep-alive.
    if (isClosing()) reply.header('connection', 'close')
    done(null, payload)
  })
  app.setErrorHandler((error, request, reply) => {
    const { id: requestId, method } = request
    logger.error('Request failed', { requestId, method, path: targetPath(request.url), error })
    sendProblem(request, reply, problems.internal)
  })
  const { exportedFiles } = deps
  const renderMetrics = metrics.text
  const context = { market, network, limits, renderMetrics, logger, catalogue, exportedFiles }
  return { app, openRoutes: addRoutes(app, { context, cache, send, rateCheck, clients }) }
}

/** The HTTP API over a market (docs/api.md). */
export const createServer = (deps: ServerDeps): ApiServer => {
  const { limits, logger } = deps
  let closing = false
  const { app, openRoutes } = createRoutedApp(deps, () => closing)

  const address = () => {
    const bound = boundAddress(app)
    return bound === null ? null : `http://${formatHostPort(bound.address, bound.port)}`
  }

  return {
    listen: async ({ host, port }) => {
      try {
        await app.listen({ host, port })
      } catch (error) {
        return failure(toListenFault(error, formatHostPort(host, port)))
      }
      // Later errors are failed accepts, which the listener survives.
      app.server.on('error', (error) => logger.warn('Failed to accept a connection', { error }))
      return success(address() ?? '')
    },
    address,
    dropConnections: () => app.server.closeAllConnections(),
    close: async () => {
      closing = true
      const cut = setTimeout(() => app.server.closeAllConnections(), limits.closeMsMax)
      await Promise.all(openRoutes.map((route) => route.close()))
      await app.close()
      clearTimeout(cut)
    },
  }
}
