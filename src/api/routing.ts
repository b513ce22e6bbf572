import { METHODS } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sendOptions } from './door.ts'
import type { AnswerContext, Endpoint } from './endpoint.ts'
import { methodNotAllowed } from './errors.ts'
import { sendBody, sendProblem } from './reply.ts'

/** The router leaves the query alone: see `routerOptions` of the server. */
const rawQueryOf = (request: FastifyRequest): string => (request.query as { raw: string }).raw

const addEndpoint = (app: FastifyInstance, endpoint: Endpoint, context: AnswerContext): void => {
  const { path: url, cache } = endpoint
  app.route({
    method: ['GET', 'HEAD'],
    url,
    handler: async (request, reply) => {
      const path = request.params as Record<string, string>
      const answer = await endpoint.respond(context, { path, query: rawQueryOf(request) })
      if (answer.ok) sendBody(request, reply, { body: answer.value, cache })
      else sendProblem(request, reply, answer.fault)
      return reply
    },
  })
}

const answeredMethods = ['GET', 'HEAD', 'OPTIONS']
/** CONNECT never becomes a request. */
const refusedMethods = METHODS.filter((each) => ![...answeredMethods, 'CONNECT'].includes(each))

const greet = (_request: FastifyRequest, reply: FastifyReply): void => sendOptions(reply)

const refuse = (request: FastifyRequest, reply: FastifyReply): void =>
  sendProblem(request, reply, methodNotAllowed)

/** `onRequest` replies, before a body's type or length could bring an error of Fastify. */
const addOtherMethods = (app: FastifyInstance, { path: url }: Endpoint): void => {
  app.route({ method: 'OPTIONS', url, onRequest: greet, handler: greet })
  app.route({ method: refusedMethods, url, onRequest: refuse, handler: refuse })
}

/** Every endpoint of the context, with an answer to every method. */
export const addRoutes = (app: FastifyInstance, context: AnswerContext): void => {
  for (const method of refusedMethods) {
    if (!app.supportedMethods.includes(method)) app.addHttpMethod(method)
  }
  for (const endpoint of context.endpoints) {
    addEndpoint(app, endpoint, context)
    addOtherMethods(app, endpoint)
  }
}
