import type { FastifyReply, FastifyRequest } from 'fastify'
import { constantHeaders, hasHost, optionsHeadersOf } from './headers.ts'
import type { ServerLimits } from './limits.ts'
import { uriTooLong } from './parser-errors.ts'
import { type Problem, readMethods } from './problems.ts'
import type { RateCheck } from './rate-limit.ts'
import { sendProblem } from './send-response.ts'

export type GuardDeps = {
  readonly limits: ServerLimits
  readonly rateLimitPerMinute: number
  readonly rates: RateCheck
  /** Patterns of paths that are not counted. */
  readonly uncountedPaths: ReadonlySet<string>
  /** Patterns of paths that read a body. */
  readonly bodyPaths: ReadonlySet<string>
}

const notFound: Problem = { code: 'not_found', detail: 'no endpoint has this path; see /api/v1' }

const hostMissing: Problem = {
  code: 'bad_request',
  detail: 'HTTP/1.1 requires the header Host, once and well-formed',
}

/** An empty parameter is a trailing slash, and no path of ours has one. */
const namesNothing = ({ is404, params }: FastifyRequest): boolean =>
  is404 || Object.values(params as Record<string, string>).includes('')

const patternOf = ({ routeOptions }: FastifyRequest): string => routeOptions.url ?? ''

/** Where nobody reads bodies, a connection on which one may follow is not used again. */
const announcesBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'

export const sendOptions = (
  reply: FastifyReply,
  methods: readonly string[] = readMethods,
): void => {
  reply.code(204).headers(optionsHeadersOf(methods)).send()
}

/** What the client is told instead of an answer. */
type Refusal = Problem | 'options' | null

/**
 * A hook that lets a request pass to its endpoint or replies itself. It stands before Fastify reads
 * anything of a body, so that no body can change the reply.
 */
export const createRequestGuard = (parts: GuardDeps) => {
  const { limits, rateLimitPerMinute, rates, uncountedPaths, bodyPaths } = parts
  const tooLong = uriTooLong(limits)

  const overRate = (request: FastifyRequest, reply: FastifyReply): Problem | null => {
    const rate = uncountedPaths.has(patternOf(request)) ? null : rates.check(request.raw)
    if (rate === null) return null
    reply.headers(rate.headers)
    if (rate.allowed) return null
    const { retrySeconds } = rate
    const detail = `more than ${rateLimitPerMinute} requests a minute; again in ${retrySeconds} s`
    return { code: 'rate_limited', detail, headers: { 'retry-after': String(retrySeconds) } }
  }

  const refuse = (request: FastifyRequest, reply: FastifyReply): Refusal => {
    const tooMany = overRate(request, reply)
    if (tooMany !== null) return tooMany
    if (request.originalUrl.length > limits.uriBytesMax) return tooLong
    if (!hasHost(request.raw)) return hostMissing
    if (request.method === 'OPTIONS' && request.originalUrl === '*') return 'options'
    return namesNothing(request) ? notFound : null
  }

  return (request: FastifyRequest, reply: FastifyReply, pass: () => void): void => {
    reply.headers(constantHeaders)
    const isBodyUnread = announcesBody(request) && !bodyPaths.has(patternOf(request))
    if (isBodyUnread) reply.header('connection', 'close')
    const refusal = refuse(request, reply)
    if (refusal === null) pass()
    else if (refusal === 'options') sendOptions(reply)
    else sendProblem(request, reply, refusal)
  }
}
