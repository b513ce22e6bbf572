import { failure, type Outcome, success } from '../domain/outcome.ts'
import { isRecord, type JsonRecord } from '../net/json.ts'
import type { Outbound, OutboundAnswer } from '../net/outbound.ts'
import type { RedactSecrets } from '../util/redact.ts'
import { createParseAnswer } from './answer-json.ts'
import {
  type FaultContext,
  faultByText,
  faultOfError,
  faultOfStatus,
  type NodeFault,
} from './faults.ts'

export type RpcCall = { readonly method: string; readonly params: readonly unknown[] }

/** What the node answered to one call of a request. */
export type NodeAnswer = Outcome<unknown, NodeFault>

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
) => Promise<Outcome<readonly NodeAnswer[], NodeFault>>

type Reader = {
  readonly malformed: (what: string) => NodeFault
  readonly contextOf: (code: unknown, text: string) => FaultContext
}

const createReader = ({ retryAfterSeconds }: OutboundAnswer, redact: RedactSecrets): Reader => ({
  malformed: (what) => ({ kind: 'malformed', detail: what }),
  contextOf: (code, text) => ({ code, retryAfterSeconds, detail: redact(text) }),
})

/** `{error: {code, message}}`, `{error: "text"}`, or the error's fields without the wrapping. */
const errorIn = (item: JsonRecord): { code: unknown; message: string } | null => {
  const { error } = item
  if (typeof error === 'string') return { code: item.code, message: error }
  const carrier = isRecord(error) ? error : item
  const { code, message } = carrier
  if (carrier === item && ('result' in item || typeof message !== 'string')) return null
  return { code, message: typeof message === 'string' ? message : `error ${String(code)}` }
}

const readItem = (item: JsonRecord, reader: Reader): NodeAnswer => {
  const error = errorIn(item)
  if (error !== null) {
    return failure(faultOfError(error.message, reader.contextOf(error.code, error.message)))
  }
  return 'result' in item
    ? success(item.result)
    : failure(reader.malformed('an answer without a result'))
}

/** Order is the node's own affair, but each id is answered once. */
const readBatch = (
  items: readonly unknown[],
  count: number,
  reader: Reader,
): Outcome<readonly NodeAnswer[], NodeFault> => {
  const answers: (NodeAnswer | undefined)[] = new Array(count).fill(undefined)
  for (const item of items) {
    if (!isRecord(item)) return failure(reader.malformed('a batch of something else'))
    const answer = readItem(item, reader)
    // Without an id it speaks of the whole request.
    if (item.id === null || item.id === undefined) {
      return answer.ok ? failure(reader.malformed('an answer without an id')) : answer
    }
    const index = typeof item.id === 'number' ? item.id - 1 : -1
    if (!(index in answers)) return failure(reader.malformed('an answer to no question'))
    if (answers[index] !== undefined) return failure(reader.malformed('two answers to a question'))
    answers[index] = answer
  }
  const complete = answers.filter((answer) => answer !== undefined)
  if (complete.length === count) return success(complete)
  return failure(reader.malformed('a batch with answers missing'))
}

const readSingle = (
  item: JsonRecord,
  reader: Reader,
): Outcome<readonly NodeAnswer[], NodeFault> => {
  const answer = readItem(item, reader)
  if (answer.ok && item.id !== 1) return failure(reader.malformed('an answer to no question'))
  return success([answer])
}

const readBody = (
  json: unknown,
  count: number,
  reader: Reader,
): Outcome<readonly NodeAnswer[], NodeFault> => {
  if (Array.isArray(json)) {
    return count === 1
      ? failure(reader.malformed('a batch in answer to one call'))
      : readBatch(json, count, reader)
  }
  if (!isRecord(json)) return failure(reader.malformed('not a JSON-RPC answer'))
  if (count === 1) return readSingle(json, reader)
  const whole = readItem(json, reader)
  return whole.ok ? failure(reader.malformed('one answer to a whole batch')) : whole
}

/** A body that is no JSON: a proxy's page or plain text, or an answer cut off. */
const faultOfText = (text: string, status: number, reader: Reader): NodeFault => {
  const start = text.trimStart().charAt(0)
  const shown = start === '<' ? 'an HTML page' : text.slice(0, 80)
  const context = reader.contextOf(null, `HTTP ${status}, ${shown}`)
  const byText = start === '{' || start === '[' ? null : faultByText(text, context)
  if (byText !== null && byText.kind !== 'reverted') return byText
  return status === 200
    ? reader.malformed(start === '<' ? 'an HTML page' : 'not JSON')
    : faultOfStatus(status, { ...context, explained: false })
}

/** A status other than 200 decides where the words do not. */
const withStatus = (fault: NodeFault, status: number, reader: Reader): NodeFault => {
  if (fault.kind !== 'rejected' && fault.kind !== 'malformed') return fault
  const context = reader.contextOf(null, '')
  const explained = fault.kind === 'rejected'
  return faultOfStatus(status, {
    ...context,
    detail: `${fault.detail} (HTTP ${status})`,
    explained,
  })
}

export const createJsonRpc = (deps: {
  readonly outbound: Outbound
  readonly redact: RedactSecrets
}): JsonRpc => {
  const parseAnswer = createParseAnswer()
  return async ({ url, calls, deadlineMs, bytesMax }) => {
    const payload = calls.map((call, i) => ({ jsonrpc: '2.0', id: i + 1, ...call }))
    const body = JSON.stringify(payload.length === 1 ? payload[0] : payload)
    const headers = { 'content-type': 'application/json' }
    const sent = await deps.outbound({ url, method: 'POST', headers, body, deadlineMs, bytesMax })
    if (!sent.ok) return sent
    const { status } = sent.value
    const reader = createReader(sent.value, deps.redact)
    const json = parseAnswer(sent.value.body)
    if (!json.ok) return failure(faultOfText(json.fault, status, reader))
    const read = readBody(json.value, calls.length, reader)
    if (status === 200) return read
    if (!read.ok) return failure(withStatus(read.fault, status, reader))
    return success(
      read.value.map((answer) =>
        answer.ok ? answer : failure(withStatus(answer.fault, status, reader)),
      ),
    )
  }
}
