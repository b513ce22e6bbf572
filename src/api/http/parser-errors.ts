import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { constantHeaders } from './headers.ts'
import type { ServerLimits } from './limits.ts'
import { methodNotAllowed, type Problem, problemResponse } from './problems.ts'

/**
 * Replies to what never becomes a request: node's parser gave up, and there is only a socket. The
 * connection ends with them.
 */

/** What `clientError` brings; `rawPacket` holds the bytes that could not be read. */
export type ClientError = Error & {
  readonly code?: string
  readonly rawPacket?: Buffer
  /** How far of it could be read. */
  readonly bytesParsed?: number
}

/** RFC 9110 §5.6.2: any token may be a method. */
const requestLine = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+ \S+ HTTP\/1\.[01]\r?\n/

const tooSlow: Problem = {
  code: 'request_timeout',
  detail: 'the request did not arrive in time',
}
const malformed: Problem = {
  code: 'bad_request',
  detail: 'the request is not well-formed HTTP/1.1',
}

export const uriTooLong = ({ uriBytesMax }: ServerLimits): Problem => ({
  code: 'uri_too_long',
  detail: `the request target is longer than ${uriBytesMax} bytes`,
})

const headersTooLarge = ({ headerBytesMax }: ServerLimits): Problem => ({
  code: 'headers_too_large',
  detail: `the request's header is larger than ${headerBytesMax} bytes`,
})

/** Overflowing node's header limit with the first line alone is the target's fault. */
const overflow = (text: string, limits: ServerLimits): Problem => {
  const lineLength = text.indexOf('\n')
  const isLong =
    lineLength === -1 ? text.length > limits.uriBytesMax : lineLength > limits.uriBytesMax
  return isLong && /^[A-Z]+ \//.test(text) ? uriTooLong(limits) : headersTooLarge(limits)
}

/** node refuses bytes beyond ASCII in a target; where they stand in a parameter, it has a name. */
const unescaped = (text: string): Problem => {
  const before = text.slice(0, text.search(/[\x80-\xff]/))
  const segmentAt = Math.max(before.lastIndexOf('?'), before.lastIndexOf('&')) + 1
  const param = /^([A-Za-z0-9]{1,64})=/.exec(before.slice(segmentAt))?.[1]
  if (param === undefined) return malformed
  const detail = `${param} must be percent-encoded where it is not ASCII`
  return { code: 'invalid_parameter', detail, param }
}

/** The request at fault: a packet may begin with others, which were none. */
const faultyText = ({ rawPacket, bytesParsed = 0 }: ClientError): string => {
  const text = rawPacket?.toString('latin1') ?? ''
  const lastEnd = text.lastIndexOf('\r\n\r\n', bytesParsed)
  return lastEnd === -1 ? text : text.slice(lastEnd + 4)
}

export const problemOfClientError = (error: ClientError, limits: ServerLimits): Problem => {
  const text = faultyText(error)
  if (error.code === 'HPE_HEADER_OVERFLOW') return overflow(text, limits)
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return tooSlow
  if (error.code === 'HPE_INVALID_METHOD' && requestLine.test(text)) return methodNotAllowed()
  return error.code === 'HPE_INVALID_URL' ? unescaped(text) : malformed
}

/** Nobody knows which path was meant. */
const unknownPath = '*'

export const endWithProblem = (socket: Duplex, problem: Problem, requestId: string): void => {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const { status, headers, body } = problemResponse(problem, { path: unknownPath, requestId })
  const all = Object.entries({ ...constantHeaders, ...headers, connection: 'close' })
  const lines = all.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines}\r\n`)
  socket.end(body, () => socket.destroy())
}
