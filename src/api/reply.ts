import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Problem, problemBody, problemType, statusOf } from './errors.ts'
import { etagOf, matchesEtag } from './etag.ts'
import { type CachePolicy, cacheControls } from './headers.ts'
import { pathOf } from './target.ts'

/** The one way out for answers. For HEAD node keeps the headers and leaves the body out. */
export const sendBody = (
  request: FastifyRequest,
  reply: FastifyReply,
  { body, cache }: { readonly body: string; readonly cache: CachePolicy },
): void => {
  reply.header('cache-control', cacheControls[cache])
  if (cache === 'data') {
    const etag = etagOf(body)
    reply.header('etag', etag)
    if (matchesEtag(request.headers['if-none-match'], etag)) {
      reply.code(304).send()
      return
    }
  }
  reply.type('application/json; charset=utf-8').send(body)
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
