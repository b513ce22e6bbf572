/** An error response of the service, read from its problem document (RFC 9457). */
export type ApiError = Error & {
  readonly name: 'StockpoolsApiError'
  /** The HTTP status. */
  readonly status: number
  /** For programs: `invalid_parameter`, `pool_not_found`, `rate_limited` ... */
  readonly code: string
  /** The parameter at fault. */
  readonly param: string | null
  /** Identifies the request in the service's log. */
  readonly requestId: string | null
  /** Seconds to wait before a retry. */
  readonly retryAfterSeconds: number | null
}

type Problem = {
  readonly detail?: string
  readonly requestId?: string
  readonly error?: { readonly code?: string; readonly message?: string; readonly param?: string }
}

export const isApiError = (error: unknown): error is ApiError =>
  error instanceof Error && error.name === 'StockpoolsApiError'

const parseSeconds = (text: string | null): number | null =>
  text !== null && /^[0-9]+$/.test(text) ? Number(text) : null

/** A proxy may respond with something else; the problem is then empty. */
const readProblem = async (response: Response): Promise<Problem> => {
  try {
    const body: unknown = await response.json()
    return typeof body === 'object' && body !== null ? body : {}
  } catch {
    return {}
  }
}

export const readApiError = async (response: Response): Promise<ApiError> => {
  const { detail, requestId, error } = await readProblem(response)
  return Object.assign(new Error(detail ?? `HTTP ${response.status}`), {
    name: 'StockpoolsApiError' as const,
    status: response.status,
    code: error?.code ?? `http_${response.status}`,
    param: error?.param ?? null,
    requestId: requestId ?? null,
    retryAfterSeconds: parseSeconds(response.headers.get('retry-after')),
  })
}
