import type { IncomingMessage, RequestListener } from 'node:http'
import type { RequestTimer } from '../metrics/metrics.ts'
import { hasHost } from './headers.ts'
import type { RateCheck } from './rate-limit.ts'
import type { ResponseCache } from './response-cache.ts'
import type { SendResponse } from './send-response.ts'

type LaneParts = {
  readonly kept: ResponseCache
  readonly send: SendResponse
  readonly rates: RateCheck
  readonly meter: RequestTimer
  readonly isClosing: () => boolean
  /** Everybody else's way. */
  readonly next: RequestListener
}

const isPlain = (request: IncomingMessage): boolean => {
  const { method, headers } = request
  return (
    (method === 'GET' || method === 'HEAD') &&
    headers['transfer-encoding'] === undefined &&
    headers['content-length'] === undefined &&
    headers.expect === undefined &&
    hasHost(request)
  )
}

/**
 * The short way for a question that somebody asked a moment ago: the very same bytes, without
 * parsing or routing anything. Only targets that were answered well are ever kept, so that nothing
 * has to be checked again but who is asking, and how often.
 */
export const createFastPath = (parts: LaneParts): RequestListener => {
  const { kept, send, rates, meter, isClosing, next } = parts
  return (request, response) => {
    const isShort = isPlain(request) && !isClosing()
    const answer = isShort ? kept.find(request.url ?? '') : undefined
    if (answer === undefined) return next(request, response)
    const rate = rates.check(request)
    // Whoever may not ask is told so on the long way; asking too much costs nothing twice.
    if (rate?.allowed === false) return next(request, response)
    const begunMs = meter.begin()
    send(answer, rate === null ? [] : Object.entries(rate.headers).flat(), { request, response })
    meter.end(begunMs, { route: answer.route, status: response.statusCode })
  }
}
