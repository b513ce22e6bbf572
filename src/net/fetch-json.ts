import { failure, type Outcome, success } from '../domain/outcome.ts'
import type { SourceFault } from '../ports/sources.ts'
import { type HttpClient, hostOf } from './http-client.ts'
import { isRecord, parseJson } from './json.ts'
import { decodeBody } from './response-body.ts'

const deadlineMs = 10_000
/** The largest known response, the issuer's list of 200 assets, has 200 KB. */
const bytesMax = 4 * 1024 * 1024
/** Rate limit messages are short; a longer page may contain the words by chance. */
const rateLimitCharsMax = 2000

const isRateLimitText = (text: string): boolean =>
  text.length <= rateLimitCharsMax && /rate.?limit|too many requests/i.test(text)

/** `{ "code": 429 }` and similar bodies with status 200. */
const isRateLimit = (json: unknown): boolean =>
  isRecord(json) &&
  [json, json.error]
    .filter(isRecord)
    .some(({ code, status, statusCode }) => [code, status, statusCode].includes(429))

const faultOf = (status: number, text: string, host: string): SourceFault => {
  if (status === 429 || isRateLimitText(text)) {
    return { kind: 'rate-limited', detail: `${host}: rate limited` }
  }
  if (status !== 200) {
    return { kind: 'unreachable', detail: `${host}: HTTP ${status}` }
  }
  return { kind: 'malformed', detail: `${host}: response is not JSON` }
}

/** Fetches one JSON document; detects rate limits by status, text and body. */
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

/** Fault of a response that does not have the documented form. */
export const malformedResponse = (url: string, what: string): SourceFault => ({
  kind: 'malformed',
  detail: `${hostOf(url)}: ${what}`,
})
