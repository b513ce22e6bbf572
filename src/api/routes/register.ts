import { METHODS } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import { constantHeaders } from '../http/headers.ts'
import { methodNotAllowed, type Problem, readMethods } from '../http/problems.ts'
import type { RateCheck } from '../http/rate-limit.ts'
import { sendOptions } from '../http/request-guard.ts'
import { type CachedResponse, createResponse } from '../http/response.ts'
import type { ResponseCache } from '../http/response-cache.ts'
import type { SendResponse } from '../http/send-response.ts'
import { ownHeadersOf, sendProblem, sendResponse } from '../http/send-response.ts'
import type { Endpoint, OpenRawRoute, RawRoute, RouteContext, TextRoute } from './route.ts'

type Routing = {
  readonly context: RouteContext
  readonly kept: ResponseCache
  readonly send: SendResponse
  readonly rates: RateCheck
}

/** The router leaves the query alone: see `routerOptions` of the server. */
const rawQueryOf = (request: FastifyRequest): string => (request.query as { raw: string }).raw

const addEndpoint = (app: FastifyInstance, endpoint: Endpoint, routing: Routing): void => {
  const { path: url, cache } = endpoint
  const { context, kept, send } = routing
  const facts = { route: url, type: 'application/json; charset=utf-8', cache }
  app.route({
    method: ['GET', 'HEAD'],
    url,
    handler: async (request, reply) => {
      const begunAt = kept.stamp()
      const path = request.params as Record<string, string>
      const made = await endpoint.respond(context, { path, query: rawQueryOf(request) })
      if (made.ok) {
        const answer = createResponse(made.value, facts)
        if (cache === 'data') kept.keep(request.originalUrl, answer, begunAt)
        sendResponse(send, answer, { request, reply })
      } else sendProblem(request, reply, made.fault)
      return reply
    },
  })
}

const nothingThere: Problem = { code: 'not_found', detail: 'there is nothing of this name here' }

/** What says the same to everybody until the service starts anew. */
const isLasting = ({ cache }: TextRoute): boolean => cache === 'document' || cache === 'page'

const addDocument = (app: FastifyInstance, document: TextRoute, routing: Routing): void => {
  const { path: url, type, cache, headers = {} } = document
  const make = async (given: Readonly<Record<string, string>>): Promise<CachedResponse | null> => {
    const text = await document.text(routing.context, given)
    return text === null ? null : createResponse(text, { route: url, type, cache, headers })
  }
  let made: { readonly stamp: string; readonly answer: Promise<CachedResponse | null> } | null =
    null
  // What is measured is the same for all who ask at once: nobody can keep the service counting.
  const stampNow = () => (isLasting(document) ? 'for ever' : routing.kept.stamp())
  app.route({
    method: ['GET', 'HEAD'],
    url,
    handler: async (request, reply) => {
      const given = request.params as Record<string, string>
      const stamp = `${stampNow()} ${JSON.stringify(given)}`
      if (made?.stamp !== stamp) made = { stamp, answer: make(given) }
      const { answer: making } = made
      const answer = await making.catch((error: unknown) => {
        made = null
        throw error
      })
      if (answer === null) sendProblem(request, reply, nothingThere)
      else sendResponse(routing.send, answer, { request, reply })
      return reply
    },
  })
}

const addChannel = (app: FastifyInstance, channel: RawRoute, routing: Routing): OpenRawRoute => {
  const opened = channel.open(routing.context)
  // Before Fastify reads anything of a body: that is the channel's own affair.
  const take = (request: FastifyRequest, reply: FastifyReply): void => {
    const headers = { ...constantHeaders, ...ownHeadersOf(reply) }
    reply.hijack()
    opened.handle({
      request: request.raw,
      response: reply.raw,
      requestId: request.id,
      headers,
      charge: (requests) => routing.rates.charge(request.raw, requests),
    })
  }
  const method = channel.methods as HTTPMethods[]
  app.route({ method, url: channel.path, onRequest: take, handler: take })
  return opened
}

/** CONNECT never becomes a request. */
const refusableMethods = METHODS.filter((each) => !['OPTIONS', 'CONNECT'].includes(each))

/** `onRequest` replies, before a body's type or length could bring an error of Fastify. */
const addOtherMethods = (
  app: FastifyInstance,
  url: string,
  answered: readonly string[] = readMethods,
): void => {
  const refusal = methodNotAllowed(answered)
  const refuse = (request: FastifyRequest, reply: FastifyReply): void =>
    sendProblem(request, reply, refusal)
  const greet = (_request: FastifyRequest, reply: FastifyReply): void =>
    sendOptions(reply, answered)
  const refused = refusableMethods.filter((each) => !answered.includes(each))
  app.route({ method: 'OPTIONS', url, onRequest: greet, handler: greet })
  app.route({ method: refused, url, onRequest: refuse, handler: refuse })
}

/** Everything of the context, with a reply to every method. */
export const addRoutes = (app: FastifyInstance, routing: Routing): readonly OpenRawRoute[] => {
  for (const method of refusableMethods) {
    if (!app.supportedMethods.includes(method)) app.addHttpMethod(method)
  }
  const { endpoints, documents, channels, pages } = routing.context.catalogue
  for (const endpoint of endpoints) addEndpoint(app, endpoint, routing)
  const texts = [...documents, ...pages]
  for (const document of texts) addDocument(app, document, routing)
  for (const { path } of [...endpoints, ...texts]) addOtherMethods(app, path)
  return channels.map((channel) => {
    addOtherMethods(app, channel.path, channel.methods)
    return addChannel(app, channel, routing)
  })
}
