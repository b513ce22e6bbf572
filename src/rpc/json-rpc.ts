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

/** An answer's body as JSON; the fault is the text that is none. The body is used up. */
export type ResponseParser = (body: Body) => Outcome<unknown, string>

/** Lists that are logs already, where JSON would have lists of objects. */
const scanned = new WeakSet<readonly unknown[]>()

/** The logs of a list that was read from the bytes; null for a list of JSON. */
export const asFastParsedLogs = (list: readonly unknown[]): RawLog[] | null =>
  scanned.has(list) ? (list as RawLog[]) : null

const opening = '"result":[{'
/** Stands for the logs while what is around them is parsed. */
const placeholder = 'the logs'

/**
 *     [{"id":1,"result":"0x1"},{"id":2,"result":[{..},{..},{..}]}]
 *     ^------- JSON.parse ---------------------^^- scanLogs -^^-^
 *
 * Around the logs no character may be escaped: then `"` begins or ends a text wherever it stands,
 * so that `"result":` is a name, and no other text can mean the placeholder.
 */
const parseAround = (
  bytes: Buffer<ArrayBuffer>,
  scanLogs: FastLogParser,
): Outcome<unknown, never> | null => {
  const found = bytes.indexOf(opening)
  const from = found + opening.length - '[{'.length
  const list = found === -1 ? null : scanLogs(bytes, from)
  if (list === null) return null
  const { logs, end } = list
  const [before, after] = [bytes.subarray(0, from), bytes.subarray(end)]
  const isPlain = (part: Buffer<ArrayBuffer>) => !part.includes('\\') && !part.includes(placeholder)
  if (!isPlain(before) || !isPlain(after)) return null
  const text = decodeBody([before, Buffer.from(`"${placeholder}"`), after])
  const json = parseJson(text, (_, value) => (value === placeholder ? logs : value))
  scanned.add(logs)
  return json.ok ? json : null
}

/**
 * Parses answers as JSON, but logs in their usual form become a list that `scannedIn` knows: no
 * text and no objects are made of them, which are most of an answer.
 */
export const createResponseParser = (): ResponseParser => {
  const scanLogs = createFastLogParser()
  const gather = createBodyBuffer()
  return (body) => {
    const bytes = gather(body)
    const around = parseAround(bytes, scanLogs)
    if (around !== null) return around
    const text = decodeBody([bytes])
    const json = parseJson(text)
    return json.ok ? json : failure(text)
  }
}

export type RpcCall = { readonly method: string; readonly params: readonly unknown[] }

/** What the node answered to one call of a request. */
export type RpcResponse = Outcome<unknown, RpcCallFault>

export type JsonRpcRequest = {
  readonly url: string
  /** One call travels alone, several as a batch. */
  readonly calls: readonly RpcCall[]
  readonly deadlineMs: number
  readonly bytesMax: number
}

/** One POST. Fails as a whole, or has one answer for each call, in the calls' order. */
export type JsonRpc = (
  request: JsonRpcRequest,
) => Promise<Outcome<readonly RpcResponse[], RpcCallFault>>

/** How an answer said what it says, for those who read its words. */
type ContextOf = (code: unknown, text: string) => FaultContext

/** `{error: {code, message}}`, `{error: "text"}`, or the error's fields without the wrapping. */
const errorIn = (item: JsonRecord): { code: unknown; message: string } | null => {
  const { error } = item
  if (typeof error === 'string') return { code: item.code, message: error }
  const carrier = isRecord(error) ? error : item
  const { code, message } = carrier
  if (carrier === item && ('result' in item || typeof message !== 'string')) return null
  return { code, message: typeof message === 'string' ? message : `error ${String(code)}` }
}

const readItem = (item: JsonRecord, contextOf: ContextOf): RpcResponse => {
  const error = errorIn(item)
  if (error !== null) {
    return failure(faultOfError(error.message, contextOf(error.code, error.message)))
  }
  return 'result' in item ? success(item.result) : malformed('an answer without a result')
}

/** Order is the node's own affair, but each id is answered once. */
const readBatch = (
  items: readonly unknown[],
  count: number,
  contextOf: ContextOf,
): Outcome<readonly RpcResponse[], RpcCallFault> => {
  const answers: (RpcResponse | undefined)[] = new Array(count).fill(undefined)
  for (const item of items) {
    if (!isRecord(item)) return malformed('a batch of something else')
    const answer = readItem(item, contextOf)
    // Without an id it speaks of the whole request.
    if (item.id === null || item.id === undefined) {
      return answer.ok ? malformed('an answer without an id') : answer
    }
    const index = typeof item.id === 'number' ? item.id - 1 : -1
    if (!(index in answers)) return malformed('an answer to no question')
    if (answers[index] !== undefined) return malformed('two answers to a question')
    answers[index] = answer
  }
  const complete = answers.filter((answer) => answer !== undefined)
  if (complete.length === count) return success(complete)
  return malformed('a batch with answers missing')
}

const readSingle = (
  item: JsonRecord,
  contextOf: ContextOf,
): Outcome<readonly RpcResponse[], RpcCallFault> => {
  const answer = readItem(item, contextOf)
  if (answer.ok && item.id !== 1) return malformed('an answer to no question')
  return success([answer])
}

const readBody = (
  json: unknown,
  count: number,
  contextOf: ContextOf,
): Outcome<readonly RpcResponse[], RpcCallFault> => {
  if (Array.isArray(json)) {
    return count === 1
      ? malformed('a batch in answer to one call')
      : readBatch(json, count, contextOf)
  }
  if (!isRecord(json)) return malformed('not a JSON-RPC answer')
  if (count === 1) return readSingle(json, contextOf)
  const whole = readItem(json, contextOf)
  return whole.ok ? malformed('one answer to a whole batch') : whole
}

/** A body that is no JSON: a proxy's page or plain text, or an answer cut off. */
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

/** A status other than 200 decides where the words do not. */
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
