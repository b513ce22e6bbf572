import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { RawExchange } from '../routes/route.ts'
import { constantHeaders } from './headers.ts'
import { type Problem, problemResponse } from './problems.ts'
import { pathOf } from './request-target.ts'
import { type CachedResponse, type EncodedVariant, type Encoding, encodings } from './response.ts'

const zeroQuality = /^q=0(?:\.0{0,3})?$/

/** RFC 9110 §12.5.3, of which two codings matter; a weight says no more than yes or no. */
const parse = (acceptEncoding: string): Encoding | null => {
  const accepted = new Map<string, boolean>()
  for (const part of acceptEncoding.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim())
    accepted.set(name, !parameters.some((text) => zeroQuality.test(text)))
  }
  const isAccepted = (encoding: Encoding) => accepted.get(encoding) ?? accepted.get('*') ?? false
  return encodings.find(isAccepted) ?? null
}

/** Browsers and libraries send a handful of different texts. */
const rememberedMax = 64

/** The coding to answer this Accept-Encoding with; null: as it is. */
const createEncodingChoice = (): ((acceptEncoding: string | undefined) => Encoding | null) => {
  const remembered = new Map<string, Encoding | null>()
  return (acceptEncoding) => {
    if (acceptEncoding === undefined) return null
    const known = remembered.get(acceptEncoding)
    if (known !== undefined) return known
    const choice = parse(acceptEncoding)
    if (remembered.size < rememberedMax) remembered.set(acceptEncoding, choice)
    return choice
  }
}

const entityTag = /(?:W\/)?("[\x21\x23-\x7e]*")/g

/** Whether If-None-Match names the tag: `*`, or a list, compared weakly (RFC 9110 §13.1.2). */
export const matchesEtag = (ifNoneMatch: string | undefined, etag: string): boolean => {
  if (ifNoneMatch === undefined) return false
  if (ifNoneMatch.trim() === '*') return true
  return [...ifNoneMatch.matchAll(entityTag)].some(([, tag]) => tag === etag)
}

/** Headers that only this client gets, names and values in turn. */
type OwnHeaders = readonly string[]

const write = (
  request: IncomingMessage,
  response: ServerResponse,
  { variant, own }: { readonly variant: EncodedVariant; readonly own: OwnHeaders },
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
    answer: CachedResponse,
    own: OwnHeaders,
    { request, response }: { readonly request: IncomingMessage; readonly response: ServerResponse },
  ): void => {
    const encoding: Encoding | null = choose(
      request.headers['accept-encoding'] as string | undefined,
    )
    const variant = encoding === null ? answer.plain : answer.encoded(encoding)
    const send = (made: EncodedVariant): void => {
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

export type SendResponse = ReturnType<typeof createSendAnswer>

/** What the door and its like have set for this client alone. */
export const ownHeadersOf = (reply: FastifyReply): Readonly<Record<string, string>> => {
  const own: Record<string, string> = {}
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (!(name in constantHeaders) && value !== undefined) own[name] = String(value)
  }
  return own
}

/** The one way out for answers. For HEAD node keeps the headers and leaves the body out. */
export const sendResponse = (
  send: SendResponse,
  answer: CachedResponse,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
): void => {
  const own = Object.entries(ownHeadersOf(reply)).flat()
  reply.hijack()
  send(answer, own, { request: request.raw, response: reply.raw })
}

/** The one way out for everything else. */
export const sendProblem = (
  request: FastifyRequest,
  reply: FastifyReply,
  problem: Problem,
): void => {
  const occurrence = { path: pathOf(request.originalUrl), requestId: request.id }
  const { status, headers, body } = problemResponse(problem, occurrence)
  reply.code(status).headers(headers).send(body)
}

/** The same on a raw route. */
export const rejectExchange = (
  { request, response, requestId, headers: own }: RawExchange,
  problem: Problem,
): void => {
  const occurrence = { path: pathOf(request.url ?? '/'), requestId }
  const { status, headers, body } = problemResponse(problem, occurrence)
  response.writeHead(status, { ...own, ...headers })
  response.end(request.method === 'HEAD' ? undefined : body)
}
