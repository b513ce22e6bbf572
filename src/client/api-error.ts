/** Why the service gave no answer, as its problem document says it (RFC 9457). */
export type ApiError = Error & {
  readonly name: 'StockpoolsApiError'
  /** Of HTTP. */
  readonly status: number
  /** For programs: `invalid_parameter`, `pool_not_found`, `rate_limited` ... */
  readonly code: string
  /** The parameter at fault. */
  readonly param: string | null
  /** Finds the request in the service's log. */
  readonly requestId: string | null
  /** After how long it is worth asking again. */
  readonly retryAfterSeconds: number | null
}

type Problem = {
  readonly detail?: string
  readonly requestId?: string
  readonly error?: { readonly code?: string; readonly message?: string; readonly param?: string }
}

export const isApiError = (error: unknown): error is ApiError =>
  error instanceof Error && error.name === 'StockpoolsApiError'

const secondsOf = (text: string | null): number | null =>
  text !== null && /^[0-9]+$/.test(text) ? Number(text) : null

/** A proxy in between may answer with anything at all. */
const readProblem = async (reply: Response): Promise<Problem> => {
  try {
    const body: unknown = await reply.json()
    return typeof body === 'object' && body !== null ? body : {}
  } catch {
    return {}
  }
}

export const apiErrorOf = async (reply: Response): Promise<ApiError> => {
  const { detail, requestId, error } = await readProblem(reply)
  return Object.assign(new Error(detail ?? `HTTP ${reply.status}`), {
    name: 'StockpoolsApiError' as const,
    status: reply.status,
    code: error?.code ?? `http_${reply.status}`,
    param: error?.param ?? null,
    requestId: requestId ?? null,
    retryAfterSeconds: secondsOf(reply.headers.get('retry-after')),
  })
}
