import type { FastifyReply, FastifyRequest } from 'fastify'
import type { CrossOrigin, CrossOriginAccess } from './cross-origin.ts'
import { allowHeaders, hasValidHost, preflightHeaders } from './headers.ts'
import type { ServerLimits } from './limits.ts'
import { type Problem, problems, readMethods } from './problems.ts'
import type { RateCheck } from './rate-limit.ts'
import { sendProblem } from './send-response.ts'

export type GuardDeps = {
  readonly limits: ServerLimits
  readonly rateCheck: RateCheck
  /** Path patterns without a rate limit. */
  readonly unlimitedPaths: ReadonlySet<string>
  /** Path patterns that not every origin may use. */
  readonly restrictedPaths: ReadonlyMap<string, CrossOriginAccess>
  readonly crossOrigin: CrossOrigin
  /** Path patterns that read a body. */
  readonly bodyPaths: ReadonlySet<string>
}

/** An empty parameter means a trailing slash, which no path has. */
const isUnknownPath = ({ is404, params }: FastifyRequest): boolean =>
  is404 || Object.values(params as Record<string, string>).includes('')

const pathPattern = ({ routeOptions }: FastifyRequest): string => routeOptions.url ?? ''

const announcesBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'

export const sendOptions = (
  reply: FastifyReply,
  methods: readonly string[] = readMethods,
): void => {
  // The request guard has decided whether the origin may use this path.
  const isAllowed = reply.hasHeader('access-control-allow-origin')
  reply.code(204).headers(allowHeaders(methods))
  if (isAllowed) reply.headers(preflightHeaders(methods))
  reply.send()
}

/**
 * An `onRequest` hook that passes a request to its handler or replies itself. It runs before
 * Fastify reads the body, so that no body can change the reply.
 */
export const createRequestGuard = (deps: GuardDeps) => {
  const { limits, rateCheck, unlimitedPaths, bodyPaths } = deps
  const { crossOrigin, restrictedPaths } = deps
  const uriTooLong = problems.uriTooLong(limits)

  const checkRate = (request: FastifyRequest, reply: FastifyReply): Problem | null => {
    const rate = unlimitedPaths.has(pathPattern(request)) ? null : rateCheck.check(request.raw)
    if (rate === null) return null
    reply.headers(rate.headers)
    return rate.allowed ? null : problems.rateLimited(rate.perMinute, rate.retrySeconds)
  }

  const check = (request: FastifyRequest, reply: FastifyReply): Problem | 'options' | null => {
    const rateProblem = checkRate(request, reply)
    if (rateProblem !== null) return rateProblem
    if (request.originalUrl.length > limits.uriBytesMax) return uriTooLong
    if (!hasValidHost(request.raw)) return problems.hostMissing
    if (request.method === 'OPTIONS' && request.originalUrl === '*') return 'options'
    return isUnknownPath(request) ? problems.unknownPath : null
  }

  return (request: FastifyRequest, reply: FastifyReply, pass: () => void): void => {
    const access = restrictedPaths.get(pathPattern(request)) ?? 'any'
    const { headers, problem } = crossOrigin(access, request.raw)
    reply.headers(headers)
    // An unread body may hide a request: the connection ends with this reply.
    const hasUnreadBody = announcesBody(request) && !bodyPaths.has(pathPattern(request))
    if (hasUnreadBody) reply.header('connection', 'close')
    const result = check(request, reply) ?? problem
    if (result === null) pass()
    else if (result === 'options') sendOptions(reply)
    else sendProblem(request, reply, result)
  }
}
