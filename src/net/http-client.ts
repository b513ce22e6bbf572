import { failure, type Outcome, success } from '../domain/outcome.ts'
import type { Body } from './response-body.ts'

export type HttpRequest = {
  readonly url: string
  readonly method: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** From the connection to the last byte of the body. */
  readonly deadlineMs: number
  /** Of the body as decoded; more is refused while it streams in. */
  readonly bytesMax: number
}

export type HttpResponse = {
  readonly status: number
  /** By the answer's own clock where it names a date; null if it does not say. */
  readonly retryAfterSeconds: number | null
  readonly body: Body
}

/** `detail` has nothing of the address: whoever shows it adds the host. */
export type HttpFault = {
  readonly kind: 'unreachable' | 'timeout' | 'too-large'
  readonly detail: string
}

/** One HTTP request. Never throws. */
export type HttpClient = (request: HttpRequest) => Promise<Outcome<HttpResponse, HttpFault>>

/** Some public nodes answer 403 to anything that does not begin like a browser. */
const userAgent = 'Mozilla/5.0 (compatible; stockpools)'

type StopReason = HttpFault['kind'] | 'stopped'

/** What of an address may be shown: neither path nor query nor credentials. */
export const hostOf = (url: string): string => URL.parse(url)?.host || 'a malformed address'

/** `fetch` refuses an address with credentials, so they travel as the header that they mean. */
const target = (url: URL): { readonly url: URL; readonly headers: Record<string, string> } => {
  if (url.username === '' && url.password === '') return { url, headers: {} }
  const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`
  const bare = new URL(url)
  bare.username = ''
  bare.password = ''
  const authorization = `Basic ${Buffer.from(credentials).toString('base64')}`
  return { url: bare, headers: { authorization } }
}

const httpDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/

const millisecondsOf = (date: string | null): number =>
  date !== null && httpDate.test(date) ? Date.parse(date) : Number.NaN

/** Seconds, or a date (RFC 9110 §10.2.3), which is compared with the answer's own `Date`. */
const retryAfterSecondsOf = (headers: Headers): number | null => {
  const text = headers.get('retry-after')
  if (text !== null && /^\d{1,9}$/.test(text)) return Number(text)
  const seconds = (millisecondsOf(text) - millisecondsOf(headers.get('date'))) / 1000
  return Number.isFinite(seconds) ? Math.max(0, Math.ceil(seconds)) : null
}

/** The system's own word for it ("ECONNREFUSED"); messages may repeat the whole address. */
const codeOf = (error: unknown): string => {
  const cause = error instanceof Error ? (error.cause ?? error) : null
  const code = cause instanceof Error && 'code' in cause ? cause.code : null
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]{1,40}$/.test(code) ? ` (${code})` : ''
}

const faultOf = (reason: unknown, error: unknown): HttpFault => {
  if (reason === 'timeout') return { kind: 'timeout', detail: 'no whole answer in time' }
  if (reason === 'too-large') return { kind: 'too-large', detail: 'the answer is too long' }
  if (reason === 'stopped') return { kind: 'unreachable', detail: 'stopping' }
  return { kind: 'unreachable', detail: `no connection${codeOf(error)}` }
}

const readBody = async (
  response: Response,
  bytesMax: number,
  stop: (reason: StopReason) => void,
): Promise<Body> => {
  const pieces: Uint8Array<ArrayBuffer>[] = []
  let bytes = 0
  for await (const piece of response.body ?? []) {
    bytes += piece.byteLength
    if (bytes > bytesMax) stop('too-large')
    pieces.push(piece)
  }
  return pieces
}

const exchange = async (
  request: HttpRequest,
  controller: AbortController,
): Promise<Outcome<HttpResponse, HttpFault>> => {
  const stop = (reason: StopReason): never => {
    controller.abort(reason)
    throw new Error(reason)
  }
  const { url, headers } = target(new URL(request.url))
  const response = await fetch(url, {
    method: request.method,
    headers: { 'user-agent': userAgent, ...headers, ...request.headers },
    body: request.body ?? null,
    // An answer from elsewhere is not the configured source's.
    redirect: 'manual',
    signal: controller.signal,
  })
  if (response.status >= 300 && response.status < 400) {
    controller.abort('unreachable')
    const detail = `answered with a redirect (HTTP ${response.status})`
    return failure({ kind: 'unreachable', detail })
  }
  const body = await readBody(response, request.bytesMax, stop)
  const retryAfterSeconds = retryAfterSecondsOf(response.headers)
  return success({ status: response.status, retryAfterSeconds, body })
}

/** `signal` ends all requests in flight, for an orderly stop. */
export const createHttpClient =
  (deps: { readonly signal?: AbortSignal } = {}): HttpClient =>
  async (request) => {
    const controller = new AbortController()
    const onStop = () => controller.abort('stopped')
    if (deps.signal?.aborted === true) onStop()
    deps.signal?.addEventListener('abort', onStop, { once: true })
    const timer = setTimeout(() => controller.abort('timeout'), request.deadlineMs)
    try {
      return await exchange(request, controller)
    } catch (error) {
      return failure(faultOf(controller.signal.reason, error))
    } finally {
      clearTimeout(timer)
      deps.signal?.removeEventListener('abort', onStop)
    }
  }
