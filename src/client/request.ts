import { type ApiError, apiErrorOf, isApiError } from './api-error.ts'

export type ClientOptions = {
  /** Another fetch than the platform's. */
  readonly fetch?: typeof fetch
  /** Of one request, its body included. */
  readonly timeoutMs?: number
  /** How often a refusal that names a time to wait is waited out. */
  readonly retriesMax?: number
  readonly headers?: Readonly<Record<string, string>>
}

export type QueryValue = string | number | boolean | readonly string[] | null | undefined
export type Query = Readonly<Record<string, QueryValue>>

export type ApiRequest = (
  path: string,
  query?: Query,
  options?: { readonly signal?: AbortSignal | undefined },
) => Promise<unknown>

const timeoutMsDefault = 10_000
const retriesMaxDefault = 2
/** Whoever must wait longer should hear of it instead. */
const waitSecondsMax = 30

export const targetOf = (base: string, path: string, query: Query = {}): string => {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null)
  const pairs = given.map(([name, value]): [string, string] => [name, String(value)])
  const text = new URLSearchParams(pairs).toString()
  return `${base.replace(/\/+$/, '')}${path}${text === '' ? '' : `?${text}`}`
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

const waitOf = ({ status, retryAfterSeconds }: ApiError): number | null => {
  if (status !== 429 && status !== 503) return null
  const seconds = retryAfterSeconds ?? 1
  return seconds <= waitSecondsMax ? seconds : null
}

export const createApiRequest = (base: string, options: ClientOptions): ApiRequest => {
  const { timeoutMs = timeoutMsDefault, retriesMax = retriesMaxDefault, headers = {} } = options
  const send = options.fetch ?? globalThis.fetch.bind(globalThis)

  const askOnce = async (target: string, signal: AbortSignal | undefined): Promise<unknown> => {
    const deadline = AbortSignal.timeout(timeoutMs)
    const either = signal === undefined ? deadline : AbortSignal.any([signal, deadline])
    const accept = { accept: 'application/json', ...headers }
    const reply = await send(target, { headers: accept, signal: either })
    if (!reply.ok) throw await apiErrorOf(reply)
    return reply.json()
  }

  return async (path, query, { signal } = {}) => {
    const target = targetOf(base, path, query)
    for (let tries = 0; ; tries++) {
      try {
        return await askOnce(target, signal)
      } catch (error) {
        const wait = isApiError(error) && tries < retriesMax ? waitOf(error) : null
        if (wait === null) throw error
        await delay(wait, signal)
      }
    }
  }
}
