import { failure, type Outcome, success } from '../domain/outcome.ts'
import type { SourceFault } from '../ports/sources.ts'
import { type HttpClient, hostOf } from './http-client.ts'
import { isRecord, parseJson } from './json.ts'
import { decodeBody } from './response-body.ts'

const deadlineMs = 10_000
/** The longest answer known, the issuer's list of 200 assets, has 200 KB. */
const bytesMax = 4 * 1024 * 1024
/** A refusal is short; a page about something else may hold the words by chance. */
const refusalCharsMax = 2000

const saysRateLimit = (text: string): boolean =>
  text.length <= refusalCharsMax && /rate.?limit|too many requests/i.test(text)

/** `{ "code": 429 }` and its kin in an answer that calls itself a success. */
const isRateLimit = (json: unknown): boolean =>
  isRecord(json) &&
  [json, json.error]
    .filter(isRecord)
    .some(({ code, status, statusCode }) => [code, status, statusCode].includes(429))

const faultOf = (status: number, text: string, host: string): SourceFault => {
  if (status === 429 || saysRateLimit(text)) {
    return { kind: 'rate-limited', detail: `${host}: rate limited` }
  }
  if (status !== 200) {
    return { kind: 'unreachable', detail: `${host}: HTTP ${status}` }
  }
  return { kind: 'malformed', detail: `${host}: the answer is not JSON` }
}

/** Reads one JSON document; a rate limit is known in each of its disguises. */
export const fetchJson = async (
  httpClient: HttpClient,
  url: string,
): Promise<Outcome<unknown, SourceFault>> => {
  const host = hostOf(url)
  const headers = { accept: 'application/json' }
  const read = await httpClient({ url, method: 'GET', headers, deadlineMs, bytesMax })
  if (!read.ok) {
    const kind = read.fault.kind === 'too-large' ? 'malformed' : 'unreachable'
    return failure({ kind, detail: `${host}: ${read.fault.detail}` })
  }
  const { status, body } = read.value
  const text = decodeBody(body)
  const json = parseJson(text)
  if (status !== 200 || !json.ok) return failure(faultOf(status, text, host))
  if (isRateLimit(json.value)) {
    return failure({ kind: 'rate-limited', detail: `${host}: rate limited` })
  }
  return success(json.value)
}

/** The fault of an answer whose form is not the one that is documented. */
export const malformedResponse = (url: string, what: string): SourceFault => ({
  kind: 'malformed',
  detail: `${hostOf(url)}: ${what}`,
})
