import type { IncomingMessage, ServerResponse } from 'node:http'
import { createEncodingChoice, type Encoding } from './encoding.ts'
import { matchesEtag } from './etag.ts'
import type { Answer, Variant } from './response.ts'

/** Headers that only this client gets, names and values in turn. */
export type OwnHeaders = readonly string[]

const write = (
  request: IncomingMessage,
  response: ServerResponse,
  { variant, own }: { readonly variant: Variant; readonly own: OwnHeaders },
): void => {
  const { body, etag, headers, unmodified } = variant
  if (etag !== null && matchesEtag(request.headers['if-none-match'], etag)) {
    response.writeHead(304, [...unmodified, ...own]).end()
    return
  }
  response.writeHead(200, [...headers, ...own])
  response.end(request.method === 'HEAD' ? undefined : body)
}

/** Writes an answer to whoever asked, in the coding that it takes, or that it has it already. */
export const createSendAnswer = (isClosing: () => boolean) => {
  const choose = createEncodingChoice()
  return (
    answer: Answer,
    own: OwnHeaders,
    { request, response }: { readonly request: IncomingMessage; readonly response: ServerResponse },
  ): void => {
    const encoding: Encoding | null = choose(
      request.headers['accept-encoding'] as string | undefined,
    )
    const variant = encoding === null ? answer.plain : answer.encoded(encoding)
    const send = (made: Variant): void => {
      const all = isClosing() ? [...own, 'connection', 'close'] : own
      write(request, response, { variant: made, own: all })
    }
    if (!(variant instanceof Promise)) {
      send(variant)
      return
    }
    variant
      .catch(() => answer.plain)
      .then((made) => {
        // Whoever asked may be gone by now; the answer stays for others.
        if (!response.destroyed) send(made)
      })
  }
}

export type SendAnswer = ReturnType<typeof createSendAnswer>
