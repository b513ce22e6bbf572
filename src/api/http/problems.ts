import type { ProblemBody } from '../schemas/problem.ts'

/** Every way to be refused: the one table of codes. Staleness is data, never an error. */
const errorTable = {
  bad_request: { status: 400, title: 'Malformed request' },
  invalid_parameter: { status: 400, title: 'Invalid parameter' },
  unknown_parameter: { status: 400, title: 'Unknown parameter' },
  invalid_pool_id: { status: 400, title: 'Invalid pool id' },
  not_found: { status: 404, title: 'Not found' },
  pool_not_found: { status: 404, title: 'Pool not found' },
  stock_not_found: { status: 404, title: 'Stock not found' },
  method_not_allowed: { status: 405, title: 'Method not allowed' },
  request_timeout: { status: 408, title: 'Request too slow' },
  content_too_large: { status: 413, title: 'Content too large' },
  uri_too_long: { status: 414, title: 'URI too long' },
  rate_limited: { status: 429, title: 'Too many requests' },
  headers_too_large: { status: 431, title: 'Request header fields too large' },
  internal: { status: 500, title: 'Internal error' },
  not_ready: { status: 503, title: 'Not ready' },
} as const

export type ErrorCode = keyof typeof errorTable

/** Why a request gets no answer. Nothing in it may tell of the inside. */
export type Problem = {
  readonly code: ErrorCode
  /** For people: what is wrong with this request. */
  readonly detail: string
  /** The parameter at fault. */
  readonly param?: string
  readonly headers?: Readonly<Record<string, string>>
}

export const statusOf = ({ code }: Pick<Problem, 'code'>): number => errorTable[code].status

/** RFC 9457 asks for exactly this, without a charset. */
export const problemType = 'application/problem+json'

const instanceLengthMax = 200

/** What the problem happened to. */
type Occurrence = { readonly path: string; readonly requestId: string }

/** The body (RFC 9457), with an `error` object for simple clients. */
export const problemBody = (
  { code, detail, param }: Problem,
  { path, requestId }: Occurrence,
): ProblemBody => {
  const { status, title } = errorTable[code]
  return {
    type: `urn:stockpools:error:${code}`,
    title,
    status,
    detail,
    instance: path.slice(0, instanceLengthMax),
    requestId,
    error: { code, message: detail, ...(param === undefined ? {} : { param }) },
  }
}

/** Status, headers and body. A Buffer, because Fastify adds a charset to text. */
export const problemResponse = (problem: Problem, occurrence: Occurrence) => {
  const body = Buffer.from(JSON.stringify(problemBody(problem, occurrence)))
  return {
    status: statusOf(problem),
    headers: {
      'cache-control': 'no-store',
      'x-request-id': occurrence.requestId,
      ...problem.headers,
      'content-type': problemType,
      'content-length': String(body.length),
    },
    body,
  }
}

/** What a question may be asked with; OPTIONS comes with everything. */
export const readMethods = ['GET', 'HEAD'] as const

export const allowOf = (methods: readonly string[]): string => [...methods, 'OPTIONS'].join(', ')

export const methodNotAllowed = (methods: readonly string[] = readMethods): Problem => ({
  code: 'method_not_allowed',
  detail: `only ${allowOf(methods)} are allowed`,
  headers: { allow: allowOf(methods) },
})

export const internalError: Problem = {
  code: 'internal',
  detail: 'something went wrong here; the log has it under the requestId',
}

/** The first snapshot is a matter of seconds. */
const notReadyRetrySeconds = 2

/** What is in memory is answered all the time; a series and its swaps are not. */
export const storeUnavailable: Problem = {
  code: 'not_ready',
  detail: 'the store can not be read now; lists are still answered',
  headers: { 'retry-after': String(notReadyRetrySeconds) },
}

export const notReady: Problem = {
  code: 'not_ready',
  detail: 'the first snapshot is not built yet',
  headers: { 'retry-after': String(notReadyRetrySeconds) },
}
