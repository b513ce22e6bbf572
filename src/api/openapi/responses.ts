import {
  type ErrorCode,
  type Problem,
  problemBody,
  problemType,
  statusOf,
} from '../http/problems.ts'
import { ProblemSchema } from '../schemas/problem.ts'
import { refOf } from './components.ts'

type Json = Readonly<Record<string, unknown>>

const header = (description: string, type: 'string' | 'integer') => ({
  description,
  schema: { type },
})

/** On every reply to whoever is counted. */
export const rateHeaders = {
  RateLimit: header(
    'What is left: `"client";r=<requests>;t=<seconds until all are back>`.',
    'string',
  ),
  'RateLimit-Policy': header('The rule in force: requests, window and burst.', 'string'),
}

const retryAfter = { 'Retry-After': header('Seconds to wait.', 'integer') }
const requestId = { 'X-Request-Id': header('Finds the request in the log.', 'string') }

const ownHeaders: Partial<Record<ErrorCode, Json>> = {
  rate_limited: { ...retryAfter, ...rateHeaders },
  not_ready: retryAfter,
}

const exampleOfCode = (code: ErrorCode, detail: string): unknown => {
  const problem: Problem = { code, detail }
  return problemBody(problem, { path: '/api/v1/pools', requestId: '5f1c7b9a-1k' })
}

/** What each refusal means, in the words of the documentation. */
const meanings: Readonly<Record<ErrorCode, string>> = {
  bad_request: 'The request is not well-formed HTTP/1.1.',
  invalid_parameter: 'A parameter is malformed, out of bounds or repeated; `error.param` names it.',
  unknown_parameter: 'The endpoint has no such query parameter; `error.param` names it.',
  invalid_pool_id: 'The id is neither a v3 address nor a v4 PoolId.',
  not_found: 'No endpoint has this path.',
  pool_not_found: 'No pool of a stock has this id.',
  stock_not_found: 'No stock has this ticker or address.',
  method_not_allowed: 'Only GET, HEAD and OPTIONS are allowed.',
  request_timeout: 'The request did not arrive in time.',
  content_too_large: 'The body is larger than 64 KiB.',
  uri_too_long: 'The request target is longer than 8192 bytes.',
  rate_limited: 'Too many requests of this client.',
  headers_too_large: 'The header is larger than 16384 bytes.',
  internal: 'A fault of the service; the log has it under the request id.',
  not_ready: 'The first snapshot is not built yet, or the store can not be read now.',
}

/** One response for the codes of one status. */
const responseOf = (codes: readonly ErrorCode[]): Json => ({
  description: codes.map((code) => `\`${code}\`: ${meanings[code]}`).join('\n\n'),
  headers: Object.assign({}, requestId, ...codes.map((code) => ownHeaders[code] ?? {})),
  content: {
    [problemType]: {
      schema: refOf(ProblemSchema),
      examples: Object.fromEntries(
        codes.map((code) => [code, { value: exampleOfCode(code, meanings[code]) }]),
      ),
    },
  },
})

/** Responses by status for everything that may be refused. */
export const refusals = (codes: Iterable<ErrorCode>): Json => {
  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of new Set(codes)) {
    const status = statusOf({ code })
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  return Object.fromEntries(
    [...byStatus].map(([status, each]) => [String(status), responseOf(each)]),
  )
}
