import { type ApiError, isApiError, readApiError } from './api-error.ts'

export type ClientOptions = {
  /** Replaces the platform's fetch. */
  readonly fetch?: typeof fetch
  /** The time limit (in ms) of one request with its body. */
  readonly timeoutMs?: number
  /** How often a request is repeated after the wait that the service asks for. */
  readonly retriesMax?: number
  readonly headers?: Readonly<Record<string, string>>
}

export type QueryValue = string | number | boolean | readonly string[] | null | undefined
export type Query = Readonly<Record<string, QueryValue>>

export type RequestOptions = { readonly signal?: AbortSignal | undefined }

export type ApiRequest = (path: string, query?: Query, options?: RequestOptions) => Promise<unknown>

const timeoutMsDefault = 10_000
const retriesMaxDefault = 2
/** A longer wait is an error instead. */
const waitSecondsMax = 30

const buildUrl = (base: string, path: string, query: Query): string => {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null)
  const pairs = given.map(([name, value]): [string, string] => [name, String(value)])
  const text = new URLSearchParams(pairs).toString()
  return `${base.replace(/\/+$/, '')}${path}${text === '' ? '' : `?${text}`}`
}

type Get = {
  readonly path: string
  readonly query: Query
  readonly accept: string
  /** Ends the request, besides the caller's signal. */
  readonly deadline: AbortSignal
  readonly signal: AbortSignal | undefined
}

/** Sends one GET request; throws an `ApiError` unless the status is 2xx. */
export const fetchOk = async (
  base: string,
  options: ClientOptions,
  { path, query, accept, deadline, signal }: Get,
): Promise<Response> => {
  const send = options.fetch ?? globalThis.fetch.bind(globalThis)
  const response = await send(buildUrl(base, path, query), {
    headers: { accept, ...options.headers },
    signal: signal === undefined ? deadline : AbortSignal.any([signal, deadline]),
  })
  if (!response.ok) throw await readApiError(response)
  return response
}

export const delay = (seconds: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, seconds * 1000)
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    if (signal?.aborted === true) stop()
    signal?.addEventListener('abort', stop, { once: true })
  })

const retryWaitSeconds = ({ status, retryAfterSeconds }: ApiError): number | null => {
  if (status !== 429 && status !== 503) return null
  const seconds = retryAfterSeconds ?? 1
  return seconds <= waitSecondsMax ? seconds : null
}

export const createApiRequest = (base: string, options: ClientOptions): ApiRequest => {
  const { timeoutMs = timeoutMsDefault, retriesMax = retriesMaxDefault } = options
  return async (path, query = {}, { signal } = {}) => {
    for (let retries = 0; ; retries++) {
      try {
        const deadline = AbortSignal.timeout(timeoutMs)
        const get = { path, query, accept: 'application/json', deadline, signal }
        const response = await fetchOk(base, options, get)
        return await response.json()
      } catch (error) {
        const wait = isApiError(error) && retries < retriesMax ? retryWaitSeconds(error) : null
        if (wait === null) throw error
        await delay(wait, signal)
      }
    }
  }
}
