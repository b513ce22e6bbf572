import { failure, type Outcome, success } from '../domain/outcome.ts'
import { startDeadline } from '../util/limit-wait.ts'
import type { Body } from './response-body.ts'

export type HttpRequest = {
  readonly url: string
  readonly method: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Deadline from the connection to the last byte of the body, without suspensions. */
  readonly deadlineMs: number
  /** Limit of the decoded body; the request is aborted when it is exceeded. */
  readonly bytesMax: number
}

export type HttpResponse = {
  readonly status: number
  /** A date is relative to the response's own `Date`; null if the header is absent. */
  readonly retryAfterSeconds: number | null
  readonly body: Body
}

/** `detail` contains nothing of the URL; the caller adds the host. */
export type HttpFault = {
  readonly kind: 'unreachable' | 'timeout' | 'too-large'
  readonly detail: string
}

/** Sends one HTTP request. Never throws. */
export type HttpClient = (request: HttpRequest) => Promise<Outcome<HttpResponse, HttpFault>>

/** Some public nodes respond with 403 to clients that do not look like a browser. */
const userAgent = 'Mozilla/5.0 (compatible; stockpools)'

type StopReason = HttpFault['kind'] | 'stopped'

/** The part of a URL that may be shown: no path, query or credentials. */
export const hostOf = (url: string): string => URL.parse(url)?.host || 'malformed URL'

/** `fetch` rejects a URL with credentials, so they are sent as a header. */
const splitCredentials = (
  url: URL,
): { readonly url: URL; readonly headers: Record<string, string> } => {
  if (url.username === '' && url.password === '') return { url, headers: {} }
  const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`
  const bare = new URL(url)
  bare.username = ''
  bare.password = ''
  const authorization = `Basic ${Buffer.from(credentials).toString('base64')}`
  return { url: bare, headers: { authorization } }
}

const httpDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/

const parseHttpDateMs = (date: string | null): number =>
  date !== null && httpDate.test(date) ? Date.parse(date) : Number.NaN

/** Seconds, or a date (RFC 9110 §10.2.3) compared with the response's own `Date`. */
const readRetryAfterSeconds = (headers: Headers): number | null => {
  const text = headers.get('retry-after')
  if (text !== null && /^\d{1,9}$/.test(text)) return Number(text)
  const seconds = (parseHttpDateMs(text) - parseHttpDateMs(headers.get('date'))) / 1000
  return Number.isFinite(seconds) ? Math.max(0, Math.ceil(seconds)) : null
}

/** The system error code ("ECONNREFUSED"); the message may contain the URL. */
const codeOf = (error: unknown): string => {
  const cause = error instanceof Error ? (error.cause ?? error) : null
  const code = cause instanceof Error && 'code' in cause ? cause.code : null
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]{1,40}$/.test(code) ? ` (${code})` : ''
}

const faultOf = (reason: unknown, error: unknown): HttpFault => {
  if (reason === 'timeout') return { kind: 'timeout', detail: 'response timed out' }
  if (reason === 'too-large') return { kind: 'too-large', detail: 'response too large' }
  if (reason === 'stopped') return { kind: 'unreachable', detail: 'shutting down' }
  return { kind: 'unreachable', detail: `connection failed${codeOf(error)}` }
}

const readBody = async (
  response: Response,
  bytesMax: number,
  stop: (reason: StopReason) => void,
): Promise<Body> => {
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > bytesMax) stop('too-large')
    chunks.push(chunk)
  }
  return chunks
}

const exchange = async (
  request: HttpRequest,
  controller: AbortController,
): Promise<Outcome<HttpResponse, HttpFault>> => {
  const stop = (reason: StopReason): never => {
    controller.abort(reason)
    throw new Error(reason)
  }
  const { url, headers } = splitCredentials(new URL(request.url))
  const response = await fetch(url, {
    method: request.method,
    headers: { 'user-agent': userAgent, ...headers, ...request.headers },
    body: request.body ?? null,
    // A redirect target is not the configured source.
    redirect: 'manual',
    signal: controller.signal,
  })
  if (response.status >= 300 && response.status < 400) {
    controller.abort('unreachable')
    const detail = `unexpected redirect (HTTP ${response.status})`
    return failure({ kind: 'unreachable', detail })
  }
  const body = await readBody(response, request.bytesMax, stop)
  const retryAfterSeconds = readRetryAfterSeconds(response.headers)
  return success({ status: response.status, retryAfterSeconds, body })
}

/** `signal` aborts all requests in flight on shutdown. */
export const createHttpClient =
  (deps: { readonly signal?: AbortSignal } = {}): HttpClient =>
  async (request) => {
    const controller = new AbortController()
    const onStop = () => controller.abort('stopped')
    if (deps.signal?.aborted === true) onStop()
    deps.signal?.addEventListener('abort', onStop, { once: true })
    const cancel = startDeadline(request.deadlineMs, () => controller.abort('timeout'))
    try {
      return await exchange(request, controller)
    } catch (error) {
      return failure(faultOf(controller.signal.reason, error))
    } finally {
      cancel()
      deps.signal?.removeEventListener('abort', onStop)
    }
  }
