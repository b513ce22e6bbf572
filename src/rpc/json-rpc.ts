import { failure, type Outcome, success } from '../domain/outcome.ts'
import type { HttpClient } from '../net/http-client.ts'
import { isRecord, type JsonRecord, parseJson } from '../net/json.ts'
import { type Body, createBodyBuffer, decodeBody } from '../net/response-body.ts'
import type { RedactSecrets } from '../util/redact.ts'
import {
  type FaultContext,
  faultByText,
  faultOfError,
  faultOfStatus,
  malformed,
  type RpcCallFault,
} from './classify-error.ts'
import { createFastLogParser, type FastLogParser } from './fast-log-parser.ts'
import type { RawLog } from './parse-log.ts'

/** Parses a response body and releases it; the fault is the text that is not JSON. */
export type ResponseParser = (body: Body) => Outcome<unknown, string>

/** Lists that the fast parser has already turned into logs. */
const fastParsed = new WeakSet<readonly unknown[]>()

/** The logs of a list from the fast parser; null for a list of JSON objects. */
export const asFastParsedLogs = (list: readonly unknown[]): RawLog[] | null =>
  fastParsed.has(list) ? (list as RawLog[]) : null

const opening = '"result":[{'
/** Replaces the logs while the surrounding JSON is parsed. */
const placeholder = 'the logs'

/**
 *     [{"id":1,"result":"0x1"},{"id":2,"result":[{..},{..},{..}]}]
 *     ^------- JSON.parse ---------------------^^- fast parse -^^-^
 *
 * No character around the logs may be escaped: then every `"` begins or ends a string, `"result":`
 * is a member name, and no other string equals the placeholder.
 */
const parseWithFastLogs = (
  bytes: Buffer<ArrayBuffer>,
  parseLogs: FastLogParser,
): Outcome<unknown, never> | null => {
  const found = bytes.indexOf(opening)
  const from = found + opening.length - '[{'.length
  const list = found === -1 ? null : parseLogs(bytes, from)
  if (list === null) return null
  const { logs, end } = list
  const [before, after] = [bytes.subarray(0, from), bytes.subarray(end)]
  const isPlain = (part: Buffer<ArrayBuffer>) => !part.includes('\\') && !part.includes(placeholder)
  if (!isPlain(before) || !isPlain(after)) return null
  const text = decodeBody([before, Buffer.from(`"${placeholder}"`), after])
  const json = parseJson(text, (_, value) => (value === placeholder ? logs : value))
  fastParsed.add(logs)
  return json.ok ? json : null
}

/**
 * Parses responses as JSON, but logs in their usual form become a list for `asFastParsedLogs`,
 * without text and objects in between.
 */
export const createResponseParser = (): ResponseParser => {
  const parseLogs = createFastLogParser()
  const joinBody = createBodyBuffer()
  return (body) => {
    const bytes = joinBody(body)
    const withLogs = parseWithFastLogs(bytes, parseLogs)
    if (withLogs !== null) return withLogs
    const text = decodeBody([bytes])
    const json = parseJson(text)
    return json.ok ? json : failure(text)
  }
}

export type RpcCall = { readonly method: string; readonly params: readonly unknown[] }

/** Result or error of one call. */
export type RpcResponse = Outcome<unknown, RpcCallFault>

export type JsonRpcRequest = {
  readonly url: string
  /** One call is sent as an object, several as a batch. */
  readonly calls: readonly RpcCall[]
  readonly deadlineMs: number
  readonly bytesMax: number
}

/** Sends one POST. Fails, or returns one response per call in the order of the calls. */
export type JsonRpc = (
  request: JsonRpcRequest,
) => Promise<Outcome<readonly RpcResponse[], RpcCallFault>>

type ContextOf = (code: unknown, text: string) => FaultContext

/** Accepts `{error: {code, message}}`, `{error: "text"}` and `{code, message}`. */
const readError = (item: JsonRecord): { code: unknown; message: string } | null => {
  const { error } = item
  if (typeof error === 'string') return { code: item.code, message: error }
  const carrier = isRecord(error) ? error : item
  const { code, message } = carrier
  if (carrier === item && ('result' in item || typeof message !== 'string')) return null
  return { code, message: typeof message === 'string' ? message : `error ${String(code)}` }
}

const readItem = (item: JsonRecord, contextOf: ContextOf): RpcResponse => {
  const error = readError(item)
  if (error !== null) {
    return failure(faultOfError(error.message, contextOf(error.code, error.message)))
  }
  return 'result' in item ? success(item.result) : malformed('response without result or error')
}

/** The node may use any order, but each ID occurs once. */
const readBatch = (
  items: readonly unknown[],
  count: number,
  contextOf: ContextOf,
): Outcome<readonly RpcResponse[], RpcCallFault> => {
  const answers: (RpcResponse | undefined)[] = new Array(count).fill(undefined)
  for (const item of items) {
    if (!isRecord(item)) return malformed('batch item is not an object')
    const answer = readItem(item, contextOf)
    // An error without an ID is about the complete request.
    if (item.id === null || item.id === undefined) {
      return answer.ok ? malformed('response without an ID') : answer
    }
    const index = typeof item.id === 'number' ? item.id - 1 : -1
    if (!(index in answers)) return malformed('response with an unknown ID')
    if (answers[index] !== undefined) return malformed('two responses with one ID')
    answers[index] = answer
  }
  const complete = answers.filter((answer) => answer !== undefined)
  if (complete.length === count) return success(complete)
  return malformed('batch with missing responses')
}

const readSingle = (
  item: JsonRecord,
  contextOf: ContextOf,
): Outcome<readonly RpcResponse[], RpcCallFault> => {
  const answer = readItem(item, contextOf)
  if (answer.ok && item.id !== 1) return malformed('response with an unknown ID')
  return success([answer])
}

const readBody = (
  json: unknown,
  count: number,
  contextOf: ContextOf,
): Outcome<readonly RpcResponse[], RpcCallFault> => {
  if (Array.isArray(json)) {
    return count === 1
      ? malformed('batch as the response to one call')
      : readBatch(json, count, contextOf)
  }
  if (!isRecord(json)) return malformed('not a JSON-RPC response')
  if (count === 1) return readSingle(json, contextOf)
  const single = readItem(json, contextOf)
  return single.ok ? malformed('one response to a batch') : single
}

/** Classifies a body that is not JSON: a proxy's page, plain text, or a truncated response. */
const faultOfText = (text: string, status: number, contextOf: ContextOf): RpcCallFault => {
  const start = text.trimStart().charAt(0)
  const shown = start === '<' ? 'an HTML page' : text.slice(0, 80)
  const context = contextOf(null, `HTTP ${status}, ${shown}`)
  const byText = start === '{' || start === '[' ? null : faultByText(text, context)
  if (byText !== null && byText.kind !== 'reverted') return byText
  return status === 200
    ? malformed(start === '<' ? 'an HTML page' : 'not JSON').fault
    : faultOfStatus(status, { ...context, explained: false })
}

/** The HTTP status decides where the text is unknown. */
const withStatus = (fault: RpcCallFault, status: number, contextOf: ContextOf): RpcCallFault => {
  if (fault.kind !== 'rejected' && fault.kind !== 'malformed') return fault
  const context = contextOf(null, '')
  const explained = fault.kind === 'rejected'
  return faultOfStatus(status, {
    ...context,
    detail: `${fault.detail} (HTTP ${status})`,
    explained,
  })
}

export const createJsonRpc = (deps: {
  readonly httpClient: HttpClient
  readonly redact: RedactSecrets
}): JsonRpc => {
  const parseAnswer = createResponseParser()
  return async ({ url, calls, deadlineMs, bytesMax }) => {
    const payload = calls.map((call, i) => ({ jsonrpc: '2.0', id: i + 1, ...call }))
    const body = JSON.stringify(payload.length === 1 ? payload[0] : payload)
    const headers = { 'content-type': 'application/json' }
    const sent = await deps.httpClient({ url, method: 'POST', headers, body, deadlineMs, bytesMax })
    if (!sent.ok) return sent
    const { status } = sent.value
    const { retryAfterSeconds } = sent.value
    const contextOf: ContextOf = (code, text) => ({
      code,
      retryAfterSeconds,
      detail: deps.redact(text),
    })
    const json = parseAnswer(sent.value.body)
    if (!json.ok) return failure(faultOfText(json.fault, status, contextOf))
    const read = readBody(json.value, calls.length, contextOf)
    if (status === 200) return read
    if (!read.ok) return failure(withStatus(read.fault, status, contextOf))
    return success(
      read.value.map((answer) =>
        answer.ok ? answer : failure(withStatus(answer.fault, status, contextOf)),
      ),
    )
  }
}
