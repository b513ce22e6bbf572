import { METHODS } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import { asOfHeaders } from '../http/as-of.ts'
import type { ClientKeys } from '../http/client-address.ts'
import { sameOriginOverrides } from '../http/cross-origin.ts'
import { problems, readMethods } from '../http/problems.ts'
import type { RateCheck } from '../http/rate-limit.ts'
import { sendOptions } from '../http/request-guard.ts'
import { type CachedResponse, createResponse } from '../http/response.ts'
import type { ResponseCache } from '../http/response-cache.ts'
import { hookHeaders, type SendResponse, sendProblem, sendResponse } from '../http/send-response.ts'
import type { Endpoint, OpenRawRoute, RawRoute, RouteContext, TextRoute } from './route.ts'

type Routing = {
  readonly context: RouteContext
  readonly cache: ResponseCache
  readonly send: SendResponse
  readonly rateCheck: RateCheck
  readonly clients: ClientKeys
}

/** The unparsed query: see `routerOptions` in `server.ts`. */
const rawQuery = (request: FastifyRequest): string => (request.query as { raw: string }).raw

const addEndpoint = (app: FastifyInstance, endpoint: Endpoint, routing: Routing): void => {
  const { path: url, cache: policy } = endpoint
  const { context, cache, send } = routing
  const meta = { route: url, type: 'application/json; charset=utf-8', cache: policy }
  app.route({
    method: ['GET', 'HEAD'],
    url,
    handler: async (request, reply) => {
      const version = cache.version()
      const path = request.params as Record<string, string>
      const answer = await endpoint.respond(context, { path, query: rawQuery(request) })
      if (answer.ok) {
        const { body, asOf } = answer.value
        const response = createResponse(body, { ...meta, headers: asOfHeaders(asOf) })
        if (policy === 'data') cache.store(request.originalUrl, response, version)
        sendResponse(send, response, { request, reply })
      } else sendProblem(request, reply, answer.fault)
      return reply
    },
  })
}

/** Whether the text stays the same while the service runs. */
const isStatic = ({ cache }: TextRoute): boolean => cache === 'document' || cache === 'page'

type RenderedText = {
  readonly key: string
  readonly response: Promise<CachedResponse | null>
}

const addTextRoute = (app: FastifyInstance, route: TextRoute, routing: Routing): void => {
  const { path: url, type, cache, crossOrigin } = route
  const headers = { ...(crossOrigin === 'none' ? sameOriginOverrides : {}), ...route.headers }
  const render = async (params: Readonly<Record<string, string>>, query: string) => {
    const text = await route.render(routing.context, params, query)
    return text === null ? null : createResponse(text, { route: url, type, cache, headers })
  }
  // Concurrent requests share one rendering, so that a flood of them stays cheap.
  let latest: RenderedText | null = null
  const currentVersion = () => (isStatic(route) ? 'static' : routing.cache.version())
  app.route({
    method: ['GET', 'HEAD'],
    url,
    handler: async (request, reply) => {
      const params = request.params as Record<string, string>
      const query = route.queryFields === undefined ? '' : rawQuery(request)
      const key = `${currentVersion()} ${JSON.stringify(params)} ${query}`
      if (latest?.key !== key) latest = { key, response: render(params, query) }
      const response = await latest.response.catch((error: unknown) => {
        latest = null
        throw error
      })
      if (response === null) sendProblem(request, reply, problems.notFound)
      else sendResponse(routing.send, response, { request, reply })
      return reply
    },
  })
}

const addRawRoute = (app: FastifyInstance, route: RawRoute, routing: Routing): OpenRawRoute => {
  const opened = route.open(routing.context)
  // Takes over in `onRequest`, before Fastify reads the body.
  const takeOver = (request: FastifyRequest, reply: FastifyReply): void => {
    const headers = hookHeaders(reply)
    reply.hijack()
    opened.handle({
      request: request.raw,
      response: reply.raw,
      requestId: request.id,
      params: request.params as Record<string, string>,
      client: routing.clients.ofRequest(request.raw),
      headers,
      charge: (requests) => routing.rateCheck.charge(request.raw, requests),
    })
  }
  const method = route.methods as HTTPMethods[]
  app.route({ method, url: route.path, onRequest: takeOver, handler: takeOver })
  return opened
}

/** CONNECT never becomes a request. */
const rejectableMethods = METHODS.filter((method) => !['OPTIONS', 'CONNECT'].includes(method))

/** Answers OPTIONS and rejects the other methods in `onRequest`, before Fastify reads the body. */
const addOtherMethods = (
  app: FastifyInstance,
  url: string,
  handled: readonly string[] = readMethods,
): void => {
  const problem = problems.methodNotAllowed(handled)
  const reject = (request: FastifyRequest, reply: FastifyReply): void =>
    sendProblem(request, reply, problem)
  const options = (_request: FastifyRequest, reply: FastifyReply): void =>
    sendOptions(reply, handled)
  const rejected = rejectableMethods.filter((method) => !handled.includes(method))
  app.route({ method: 'OPTIONS', url, onRequest: options, handler: options })
  app.route({ method: rejected, url, onRequest: reject, handler: reject })
}

/** Adds every route of the catalogue, with a response to every method. */
export const addRoutes = (app: FastifyInstance, routing: Routing): readonly OpenRawRoute[] => {
  for (const method of rejectableMethods) {
    if (!app.supportedMethods.includes(method)) app.addHttpMethod(method)
  }
  const { endpoints, textRoutes, rawRoutes, pages } = routing.context.catalogue
  const texts = [...textRoutes, ...pages]
  for (const endpoint of endpoints) addEndpoint(app, endpoint, routing)
  for (const route of texts) addTextRoute(app, route, routing)
  for (const { path } of [...endpoints, ...texts]) addOtherMethods(app, path)
  return rawRoutes.map((route) => {
    addOtherMethods(app, route.path, route.methods)
    return addRawRoute(app, route, routing)
  })
}
