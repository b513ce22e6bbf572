import type { FastifyReply, FastifyRequest } from 'fastify'
import { constantHeaders } from './headers.ts'
import { type Problem, problemBody, problemType, statusOf } from './problems.ts'
import { pathOf } from './request-target.ts'
import type { Answer } from './response.ts'
import type { SendAnswer } from './send-response.ts'

/** What the door and its like have set for this client alone. */
export const ownHeadersOf = (reply: FastifyReply): Readonly<Record<string, string>> => {
  const own: Record<string, string> = {}
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (!(name in constantHeaders) && value !== undefined) own[name] = String(value)
  }
  return own
}

/** The one way out for answers. For HEAD node keeps the headers and leaves the body out. */
export const sendAnswer = (
  send: SendAnswer,
  answer: Answer,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
): void => {
  const own = Object.entries(ownHeadersOf(reply)).flat()
  reply.hijack()
  send(answer, own, { request: request.raw, response: reply.raw })
}

/** The one way out for everything else. A Buffer, because Fastify adds a charset to text. */
export const sendProblem = (
  request: FastifyRequest,
  reply: FastifyReply,
  problem: Problem,
): void => {
  const body = problemBody(problem, { path: pathOf(request.originalUrl), requestId: request.id })
  reply
    .code(statusOf(problem))
    .headers({ 'cache-control': 'no-store', 'x-request-id': request.id, ...problem.headers })
    .type(problemType)
    .send(Buffer.from(body))
}
