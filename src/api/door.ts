import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../ports/process.ts'
import { clientOf, createTrustedProxies } from './client-address.ts'
import type { Problem } from './errors.ts'
import { constantHeaders, optionsHeaders } from './headers.ts'
import type { ServerLimits } from './limits.ts'
import { createRateLimiter, rateLimitHeaders } from './rate-limit.ts'
import { uriTooLong } from './raw-replies.ts'
import { sendProblem } from './reply.ts'

export type DoorParts = {
  readonly clock: Clock
  readonly limits: ServerLimits
  /** Requests per minute and client; 0: no limit. */
  readonly rateLimitPerMinute: number
  readonly trustedProxies: readonly string[]
  /** Paths that are not counted. */
  readonly uncountedPaths: ReadonlySet<string>
}

const notFound: Problem = { code: 'not_found', detail: 'no endpoint has this path; see /api/v1' }

const hostMissing: Problem = { code: 'bad_request', detail: 'HTTP/1.1 requires the header Host' }

/** An empty parameter is a trailing slash, and no path of ours has one. */
const namesNothing = ({ is404, params }: FastifyRequest): boolean =>
  is404 || Object.values(params as Record<string, string>).includes('')

/** RFC 9112 §3.2 wants this refused. */
const lacksHost = ({ raw, headers }: FastifyRequest): boolean =>
  headers.host === undefined && raw.httpVersion === '1.1'

type RateCheck = (request: FastifyRequest, reply: FastifyReply) => Problem | null

const createRateCheck = (parts: DoorParts): RateCheck => {
  const { limits, rateLimitPerMinute: perMinute, uncountedPaths } = parts
  if (perMinute === 0) return () => null
  const burst = Math.min(limits.rateLimitBurst, perMinute)
  const rule = { perMinute, burst, clientsMax: limits.rateLimitClientsMax }
  const limiter = createRateLimiter(rule, parts.clock)
  const proxies = createTrustedProxies(parts.trustedProxies)
  return (request, reply) => {
    if (uncountedPaths.has(request.routeOptions.url ?? '')) return null
    const forwardedFor = request.headers['x-forwarded-for']
    const verdict = limiter.take(
      clientOf(request.raw.socket.remoteAddress, forwardedFor?.toString(), proxies),
    )
    reply.headers(rateLimitHeaders(rule, verdict))
    if (verdict.allowed) return null
    const { retrySeconds } = verdict
    const detail = `more than ${perMinute} requests a minute; again in ${retrySeconds} s`
    return { code: 'rate_limited', detail, headers: { 'retry-after': String(retrySeconds) } }
  }
}

/** Nobody reads bodies: a connection on which one may follow is not used again. */
const announcesBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'

export const sendOptions = (reply: FastifyReply): void => {
  reply.code(204).headers(optionsHeaders).send()
}

/** What the client is told instead of an answer. */
type Refusal = Problem | 'options' | null

/**
 * A hook that lets a request pass to its endpoint or replies itself. It stands before Fastify reads
 * anything of a body, so that no body can change the reply.
 */
export const createDoor = (parts: DoorParts) => {
  const tooLong = uriTooLong(parts.limits)
  const checkRate = createRateCheck(parts)
  const refuse = (request: FastifyRequest, reply: FastifyReply): Refusal => {
    const overRate = checkRate(request, reply)
    if (overRate !== null) return overRate
    if (request.originalUrl.length > parts.limits.uriBytesMax) return tooLong
    if (lacksHost(request)) return hostMissing
    if (request.method === 'OPTIONS' && request.originalUrl === '*') return 'options'
    return namesNothing(request) ? notFound : null
  }
  return (request: FastifyRequest, reply: FastifyReply, pass: () => void): void => {
    reply.headers(constantHeaders)
    if (announcesBody(request)) reply.header('connection', 'close')
    const refusal = refuse(request, reply)
    if (refusal === null) pass()
    else if (refusal === 'options') sendOptions(reply)
    else sendProblem(request, reply, refusal)
  }
}
