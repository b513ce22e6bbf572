import type { IncomingMessage } from 'node:http'
import { failure, type Outcome, success } from '../../domain/outcome.ts'

/** The longest honest question is a few hundred bytes. */
const bodyBytesMax = 64 * 1024

export type BodyFault = 'too_large' | 'malformed' | 'broken_off'

const parse = (bytes: Buffer): Outcome<unknown, BodyFault> => {
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
