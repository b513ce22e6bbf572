import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { constantHeaders } from './headers.ts'
import type { ServerLimits } from './limits.ts'
import { type Problem, problems, toProblemResponse } from './problems.ts'

/*
 * Responses to bytes that node's parser rejected. There is no request, only a socket, and the
 * connection ends with the response.
 */

/** The error of node's `clientError` event; `rawPacket` holds the rejected bytes. */
export type ClientError = Error & {
  readonly code?: string
  readonly rawPacket?: Buffer
  readonly bytesParsed?: number
}

/** RFC 9110 §5.6.2: a method is any token. */
const requestLine = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+ \S+ HTTP\/1\.[01]\r?\n/

/** Node has one limit for the request line and the headers together. */
const toOverflowProblem = (text: string, limits: ServerLimits): Problem => {
  const lineLength = text.indexOf('\n')
  const isLong =
    lineLength === -1 ? text.length > limits.uriBytesMax : lineLength > limits.uriBytesMax
  return isLong && /^[A-Z]+ \//.test(text)
    ? problems.uriTooLong(limits)
    : problems.headersTooLarge(limits)
}

/** Node rejects bytes beyond ASCII in a target; in a query parameter, the problem names it. */
const toNonAsciiProblem = (text: string): Problem => {
  const before = text.slice(0, text.search(/[\x80-\xff]/))
  const segmentAt = Math.max(before.lastIndexOf('?'), before.lastIndexOf('&')) + 1
  const param = /^([A-Za-z0-9]{1,64})=/.exec(before.slice(segmentAt))?.[1]
  return param === undefined ? problems.malformedRequest : problems.unescapedParameter(param)
}

/** The rejected request: valid ones may precede it in the packet. */
const rejectedText = ({ rawPacket, bytesParsed = 0 }: ClientError): string => {
  const text = rawPacket?.toString('latin1') ?? ''
  const lastEnd = text.lastIndexOf('\r\n\r\n', bytesParsed)
  return lastEnd === -1 ? text : text.slice(lastEnd + 4)
}

export const toParserProblem = (error: ClientError, limits: ServerLimits): Problem => {
  const text = rejectedText(error)
  if (error.code === 'HPE_HEADER_OVERFLOW') return toOverflowProblem(text, limits)
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return problems.requestTimeout
  if (error.code === 'HPE_INVALID_METHOD' && requestLine.test(text)) {
    return problems.methodNotAllowed()
  }
  return error.code === 'HPE_INVALID_URL' ? toNonAsciiProblem(text) : problems.malformedRequest
}

export const endWithProblem = (socket: Duplex, problem: Problem, requestId: string): void => {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const { status, headers, body } = toProblemResponse(problem, { path: '*', requestId })
  const pairs = Object.entries({ ...constantHeaders, ...headers, connection: 'close' })
  const lines = pairs.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines}\r\n`)
  socket.end(body, () => socket.destroy())
}
