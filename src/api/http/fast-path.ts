import type { IncomingMessage, RequestListener } from 'node:http'
import type { RequestTimer } from '../metrics/metrics.ts'
import { hasValidHost } from './headers.ts'
import type { RateCheck } from './rate-limit.ts'
import type { ResponseCache } from './response-cache.ts'
import type { SendResponse } from './send-response.ts'

type FastPathDeps = {
  readonly cache: ResponseCache
  readonly send: SendResponse
  readonly rateCheck: RateCheck
  readonly requestTimer: RequestTimer
  readonly isClosing: () => boolean
  /** Handles every request that the fast path does not. */
  readonly next: RequestListener
}

const isPlainRead = (request: IncomingMessage): boolean => {
  const { method, headers } = request
  return (
    (method === 'GET' || method === 'HEAD') &&
    headers['transfer-encoding'] === undefined &&
    headers['content-length'] === undefined &&
    headers.expect === undefined &&
    hasValidHost(request)
  )
}

/**
 * Sends a cached response without parsing or routing the request. The cache holds successful
 * targets only, so the rate limit is all that has to be checked.
 */
export const createFastPath = (deps: FastPathDeps): RequestListener => {
  const { cache, send, rateCheck, requestTimer, isClosing, next } = deps
  return (request, response) => {
    const cached = isPlainRead(request) && !isClosing() ? cache.find(request.url ?? '') : undefined
    if (cached === undefined) return next(request, response)
    const rate = rateCheck.check(request)
    // Rate-limited requests take the regular path; a rejected check takes no token.
    if (rate?.allowed === false) return next(request, response)
    const startedMs = requestTimer.start()
    send(cached, rate === null ? [] : Object.entries(rate.headers).flat(), { request, response })
    requestTimer.end(startedMs, { route: cached.route, status: response.statusCode })
  }
}
