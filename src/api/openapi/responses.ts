import { ProblemSchema } from '../http/problem-schema.ts'
import { describeError, type ErrorCode, problemType, toProblemBody } from '../http/problems.ts'
import { type Json, schemaRef } from './components.ts'

const header = (description: string, type: 'string' | 'integer') => ({
  description,
  schema: { type },
})

/** Sent with every response of a rate-limited route. */
export const rateLimitHeaders = {
  RateLimit: header(
    'What is left: `"client";r=<requests>;t=<seconds until the full burst>`.',
    'string',
  ),
  'RateLimit-Policy': header('The limit in force: requests, window and burst.', 'string'),
}

/** Sent with every answer that is computed from the index. */
export const asOfHeaders = {
  'X-As-Of-Block': header('Block that the answer is of; absent before the first.', 'integer'),
  'X-As-Of-Hash': header('Hash of that block; absent where it is not known.', 'string'),
}

const retryAfter = { 'Retry-After': header('Seconds to wait.', 'integer') }
const requestId = { 'X-Request-Id': header('Identifies the request in the log.', 'string') }

const errorHeaders: Partial<Record<ErrorCode, Json>> = {
  rate_limited: { ...retryAfter, ...rateLimitHeaders },
  not_ready: retryAfter,
}

const exampleProblem = (code: ErrorCode) =>
  toProblemBody(
    { code, detail: describeError(code).detail },
    { path: '/api/v1/pools', requestId: '5f1c7b9a-1k' },
  )

/** One response for the codes of one status. */
const errorResponse = (codes: readonly ErrorCode[]): Json => ({
  description: codes.map((code) => `\`${code}\`: ${describeError(code).detail}`).join('\n\n'),
  headers: Object.assign({}, requestId, ...codes.map((code) => errorHeaders[code] ?? {})),
  content: {
    [problemType]: {
      schema: schemaRef(ProblemSchema),
      examples: Object.fromEntries(codes.map((code) => [code, { value: exampleProblem(code) }])),
    },
  },
})

/** The error responses of an operation by status. */
export const errorResponses = (codes: Iterable<ErrorCode>): Json => {
  const byStatus = Map.groupBy(new Set(codes), (code) => String(describeError(code).status))
  return Object.fromEntries([...byStatus].map(([status, group]) => [status, errorResponse(group)]))
}
