import { type ServerLimits, serverLimits } from './limits.ts'
import type { ProblemBody } from './problem-schema.ts'

/** The methods of read-only endpoints; every route also answers OPTIONS. */
export const readMethods = ['GET', 'HEAD'] as const

export const formatAllow = (methods: readonly string[]): string =>
  [...methods, 'OPTIONS'].join(', ')

const onlyMethods = (methods: readonly string[]) => `only ${formatAllow(methods)} are allowed`
const targetTooLong = (bytes: number) => `the request target is longer than ${bytes} bytes`
const headersTooLong = (bytes: number) => `the request headers are larger than ${bytes} bytes`

const row = (status: number, title: string, detail: string) => ({ status, title, detail })

/**
 * Every error code with its status, title and sentence. OpenAPI shows the sentence; a response may
 * have a more specific one. Stale data is never an error.
 */
const errorTable = {
  bad_request: row(400, 'Malformed request', 'the request is not well-formed HTTP/1.1'),
  invalid_parameter: row(
    400,
    'Invalid parameter',
    'a parameter is malformed, out of bounds or repeated',
  ),
  unknown_parameter: row(
    400,
    'Unknown parameter',
    'this endpoint does not have this query parameter',
  ),
  invalid_pool_id: row(400, 'Invalid pool id', 'the id is neither a v3 address nor a v4 PoolId'),
  forbidden: row(403, 'Forbidden', 'this Origin or Host may not use this endpoint'),
  not_found: row(404, 'Not found', 'unknown path; see /api/v1'),
  pool_not_found: row(404, 'Pool not found', 'no stock pool with this id'),
  record_not_found: row(404, 'Record not found', 'the pool has no record of this block'),
  stock_not_found: row(404, 'Stock not found', 'no stock with this ticker or address'),
  token_not_found: row(404, 'Token not found', 'no token of a pool with this address'),
  block_not_settled: row(404, 'Block not settled', 'these blocks are not final yet'),
  export_disabled: row(404, 'No exported files', 'this service has no --export-dir'),
  file_not_found: row(404, 'File not found', 'no finished file has this dataset and name'),
  method_not_allowed: row(405, 'Method not allowed', onlyMethods(readMethods)),
  cursor_replaced: row(
    409,
    'Cursor replaced',
    'the chain replaced the block of the row that the cursor names; begin the list again',
  ),
  history_pruned: row(410, 'History deleted', 'rows of this time are not kept any more'),
  request_timeout: row(408, 'Request too slow', 'the request did not arrive in time'),
  content_too_large: row(413, 'Content too large', 'the body is larger than 64 KiB'),
  uri_too_long: row(414, 'URI too long', targetTooLong(serverLimits.uriBytesMax)),
  range_not_satisfiable: row(416, 'Range not satisfiable', 'the file has no bytes of this range'),
  rate_limited: row(
    429,
    'Too many requests',
    'the rate limit, or a limit of open streams, is exceeded',
  ),
  headers_too_large: row(
    431,
    'Request header fields too large',
    headersTooLong(serverLimits.headerBytesMax),
  ),
  internal: row(500, 'Internal error', 'internal error; search the log for this requestId'),
  not_ready: row(503, 'Not ready', 'the service is still loading'),
  export_unreadable: row(
    503,
    'Exported files not readable',
    'the exported files do not match their manifest at the moment; the log says why',
  ),
} as const satisfies Record<string, ReturnType<typeof row>>

export type ErrorCode = keyof typeof errorTable

/** Status, title and sentence of a code. */
export const describeError = (code: ErrorCode) => errorTable[code]

/** Why a request is rejected. It must not reveal anything internal. */
export type Problem = {
  readonly code: ErrorCode
  /** What is wrong with this request, for people. */
  readonly detail: string
  /** The parameter at fault. */
  readonly param?: string
  readonly headers?: Readonly<Record<string, string>>
}

const create = (code: ErrorCode, own: Partial<Problem> = {}): Problem => ({
  code,
  detail: errorTable[code].detail,
  ...own,
})

const retryAfter = (seconds: number) => ({ headers: { 'retry-after': String(seconds) } })
/** Ends the connection: the client must open another one for its next request. */
const tooMany = (detail: string, seconds: number): Problem =>
  create('rate_limited', {
    detail,
    headers: { ...retryAfter(seconds).headers, connection: 'close' },
  })
const streamRetrySeconds = 10
/** The first snapshot takes seconds. */
const snapshotRetry = retryAfter(2)
/** A file is replaced before its manifest is. */
const exportRetrySeconds = 5

const invalidParameter = (param: string, rule: string, code: ErrorCode = 'invalid_parameter') =>
  create(code, { detail: `${param} must be ${rule}`, param })

const paramLengthMax = 64

/** Every problem that the service reports, with the sentences that the table does not have. */
export const problems = {
  malformedRequest: create('bad_request'),
  hostMissing: create('bad_request', {
    detail: 'HTTP/1.1 requires exactly one well-formed Host header',
  }),
  notJson: create('bad_request', { detail: 'the body is not JSON' }),
  nestedTooDeeply: create('bad_request', { detail: 'the body is nested too deeply' }),
  batchTooLarge: (requestsMax: number) =>
    create('bad_request', { detail: `at most ${requestsMax} requests per batch` }),
  invalidParameter,
  notExactlyOne: (names: readonly string[], given: readonly string[]) =>
    create('invalid_parameter', {
      detail: `exactly one of ${names.join(', ')} must be given${
        given.length === 0 ? '' : `, not ${given.join(' and ')}`
      }`,
      param: (given.length === 0 ? names : given).join(','),
    }),
  repeatedParameter: (param: string) => invalidParameter(param, 'given only once'),
  unescapedParameter: (param: string) => invalidParameter(param, 'percent-encoded outside ASCII'),
  unknownParameter: (name: string, hint: string) =>
    create('unknown_parameter', {
      detail: `${errorTable.unknown_parameter.detail}; ${hint}`,
      param: name.slice(0, paramLengthMax),
    }),
  foreignOrigin: create('forbidden', {
    detail: 'this Origin may not use this endpoint; the operator may allow it (--allowed-origins)',
  }),
  foreignHost: create('forbidden', {
    detail:
      'this Host is not a name of this machine; the operator may allow it (--allowed-origins)',
  }),
  unknownPath: create('not_found'),
  notFound: create('not_found', { detail: 'not found' }),
  poolNotFound: create('pool_not_found', { param: 'id' }),
  recordNotFound: (param: string, detail: string) => create('record_not_found', { detail, param }),
  stockNotFound: create('stock_not_found', { param: 'symbol' }),
  tickerNotFound: create('pool_not_found', { param: 'ticker_id' }),
  tokenNotFound: create('token_not_found', { param: 'id' }),
  blockNotSettled: (last: number | null) =>
    create('block_not_settled', {
      detail:
        `${errorTable.block_not_settled.detail}: ` +
        (last === null ? 'none is' : `toBlock must be ${last} or lower`),
      param: 'toBlock',
    }),
  blocksIncomplete: create('not_ready', {
    detail: 'the swaps of these blocks are still being read; /api/v1/status says how far',
    ...retryAfter(60),
  }),
  methodNotAllowed: (methods: readonly string[] = readMethods) =>
    create('method_not_allowed', {
      detail: onlyMethods(methods),
      headers: { allow: formatAllow(methods) },
    }),
  cursorReplaced: create('cursor_replaced', { param: 'cursor' }),
  historyPruned: (keptSince: number) =>
    create('history_pruned', {
      detail:
        `${errorTable.history_pruned.detail}: these are kept since ${keptSince} (Unix seconds); ` +
        'candles of hours and days are never deleted',
    }),
  exportDisabled: create('export_disabled'),
  fileNotFound: create('file_not_found', {
    detail: `${errorTable.file_not_found.detail}; /api/v1/files lists them`,
  }),
  exportUnreadable: create('export_unreadable', retryAfter(exportRetrySeconds)),
  rangeNotSatisfiable: (bytes: number) =>
    create('range_not_satisfiable', { headers: { 'content-range': `bytes */${bytes}` } }),
  recordPruned: (param: string, keptSince: number) =>
    create('history_pruned', {
      detail:
        `${errorTable.history_pruned.detail}: the pool's oldest kept swap is of ${keptSince} ` +
        '(Unix seconds)',
      param,
    }),
  requestTimeout: create('request_timeout'),
  bodyTooLarge: create('content_too_large', { headers: { connection: 'close' } }),
  uriTooLong: ({ uriBytesMax }: ServerLimits) =>
    create('uri_too_long', { detail: targetTooLong(uriBytesMax) }),
  rateLimited: (perMinute: number, retrySeconds: number) =>
    tooMany(
      `rate limit of ${perMinute} requests per minute exceeded; retry in ${retrySeconds} s`,
      retrySeconds,
    ),
  headersTooLarge: ({ headerBytesMax }: ServerLimits) =>
    create('headers_too_large', { detail: headersTooLong(headerBytesMax) }),
  internal: create('internal'),
  notReady: create('not_ready', snapshotRetry),
  /** Lists come from memory; series and swaps need the store. */
  storeUnavailable: create('not_ready', {
    detail: 'the store is unavailable; list endpoints still work',
    ...snapshotRetry,
  }),
  storeSlow: create('not_ready', {
    detail: 'the store has not answered in time; list endpoints still work',
    ...snapshotRetry,
  }),
  streamsFull: ({ streamsMax }: ServerLimits) =>
    tooMany(`limit of ${streamsMax} open streams reached`, streamRetrySeconds),
  clientStreamsFull: ({ streamsPerClientMax }: ServerLimits) =>
    tooMany(
      `limit of ${streamsPerClientMax} open streams per client address reached`,
      streamRetrySeconds,
    ),
} as const

/** RFC 9457 asks for exactly this, without a charset. */
export const problemType = 'application/problem+json'

const instanceLengthMax = 200

/** The request that the problem happened to. */
type Occurrence = { readonly path: string; readonly requestId: string }

/** The body (RFC 9457), with an `error` object for simple clients. */
export const toProblemBody = (
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

/** Status, headers and body. The body is a Buffer, because Fastify adds a charset to text. */
export const toProblemResponse = (problem: Problem, occurrence: Occurrence) => {
  const body = Buffer.from(JSON.stringify(toProblemBody(problem, occurrence)))
  return {
    status: errorTable[problem.code].status,
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
