import { failure, type Outcome } from '../domain/outcome.ts'
import { parseJson } from '../net/json.ts'
import { type Body, createBodyBuffer, decodeBody } from '../net/response-body.ts'
import { createScanLogs, type ScanLogs } from './fast-log-parser.ts'
import type { RawLog } from './parse-log.ts'

/** An answer's body as JSON; the fault is the text that is none. The body is used up. */
export type ParseAnswer = (body: Body) => Outcome<unknown, string>

/** Lists that are logs already, where JSON would have lists of objects. */
const scanned = new WeakSet<readonly unknown[]>()

/** The logs of a list that was read from the bytes; null for a list of JSON. */
export const scannedIn = (list: readonly unknown[]): RawLog[] | null =>
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
  scanLogs: ScanLogs,
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
export const createParseAnswer = (): ParseAnswer => {
  const scanLogs = createScanLogs()
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
