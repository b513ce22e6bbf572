import type { IncomingMessage } from 'node:http'
import { failure, type Outcome, success } from '../../domain/outcome.ts'

/** The longest honest question is a few hundred bytes. */
const bodyBytesMax = 64 * 1024

/** No question has five. What is deeper is cheap to send, and costs much to check. */
const depthMax = 32

export type BodyFault = 'too_large' | 'too_deep' | 'malformed' | 'broken_off'

const [quote, backslash] = [0x22, 0x5c]
const openers = [0x5b, 0x7b]
const closers = [0x5d, 0x7d]

/** Whether lists and records stand in each other more than `depthMax` deep. */
const isDeep = (json: Buffer): boolean => {
  let depth = 0
  let isText = false
  for (let at = 0; at < json.length && depth <= depthMax; at++) {
    const byte = json[at] ?? 0
    if (isText && byte === backslash) at += 1
    else if (byte === quote) isText = !isText
    else if (!isText && openers.includes(byte)) depth += 1
    else if (!isText && closers.includes(byte)) depth -= 1
  }
  return depth > depthMax
}

const parse = (bytes: Buffer): Outcome<unknown, BodyFault> => {
  if (isDeep(bytes)) return failure('too_deep')
  try {
    return success(JSON.parse(bytes.toString('utf8')))
  } catch {
    return failure('malformed')
  }
}

/**
 * A body as JSON. The server's time limit for requests covers it; this covers its size. Listens
 * instead of iterating: leaving a loop early would close the connection before the refusal.
 */
export const readJsonBody = (request: IncomingMessage): Promise<Outcome<unknown, BodyFault>> =>
  new Promise((resolve) => {
    const chunks: Buffer[] = []
    let bytes = 0
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > bodyBytesMax) resolve(failure('too_large'))
      else chunks.push(chunk)
    })
    request.on('end', () => resolve(parse(Buffer.concat(chunks))))
    request.on('close', () => resolve(failure('broken_off')))
    request.on('error', () => resolve(failure('broken_off')))
  })
