import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { constantHeaders } from './headers.ts'
import { type Problem, toProblemResponse } from './problems.ts'
import { targetPath } from './request-target.ts'
import { type CachedResponse, type EncodedVariant, type Encoding, encodings } from './response.ts'

/** A request with an unwritten response. */
export type RawExchange = {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly requestId: string
  /** Path parameters, decoded. */
  readonly params: Readonly<Record<string, string>>
  /** The client's key for limits. */
  readonly client: string
  /** Every response must carry these. */
  readonly headers: Readonly<Record<string, string>>
  /** Counts additional requests against the client's rate limit. */
  readonly charge: (requests: number) => void
}

const zeroQuality = /^q=0(?:\.0{0,3})?$/

/** RFC 9110 §12.5.3; of a weight only zero counts. */
const chooseEncoding = (acceptEncoding: string): Encoding | null => {
  const accepted = new Map<string, boolean>()
  for (const part of acceptEncoding.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim())
    accepted.set(name, !parameters.some((text) => zeroQuality.test(text)))
  }
  const isAccepted = (encoding: Encoding) => accepted.get(encoding) ?? accepted.get('*') ?? false
  return encodings.find(isAccepted) ?? null
}

/** Browsers and libraries send only a few different values. */
const rememberedMax = 64

/** Returns the coding for an Accept-Encoding header; null for none. */
const createEncodingChoice = (): ((acceptEncoding: string | undefined) => Encoding | null) => {
  const remembered = new Map<string, Encoding | null>()
  return (acceptEncoding) => {
    if (acceptEncoding === undefined) return null
    const known = remembered.get(acceptEncoding)
    if (known !== undefined) return known
    const choice = chooseEncoding(acceptEncoding)
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

/** Headers for this client only: alternating names and values. */
type OwnHeaders = readonly string[]

const write = (
  request: IncomingMessage,
  response: ServerResponse,
  { variant, own }: { readonly variant: EncodedVariant; readonly own: OwnHeaders },
): void => {
  const { body, etag, headers, notModifiedHeaders } = variant
  if (etag !== null && matchesEtag(request.headers['if-none-match'], etag)) {
    response.writeHead(304, [...notModifiedHeaders, ...own]).end()
    return
  }
  response.writeHead(200, [...headers, ...own])
  response.end(request.method === 'HEAD' ? undefined : body)
}

/** Sends a cached response: 304 if the client has it, else in a coding that the client accepts. */
export const createSendResponse = (isClosing: () => boolean) => {
  const choose = createEncodingChoice()
  return (
    cached: CachedResponse,
    own: OwnHeaders,
    { request, response }: { readonly request: IncomingMessage; readonly response: ServerResponse },
  ): void => {
    const encoding: Encoding | null = choose(
      request.headers['accept-encoding'] as string | undefined,
    )
    const variant = encoding === null ? cached.plain : cached.encoded(encoding)
    const send = (ready: EncodedVariant): void => {
      const headers = isClosing() ? [...own, 'connection', 'close'] : own
      write(request, response, { variant: ready, own: headers })
    }
    if (!(variant instanceof Promise)) {
      send(variant)
      return
    }
    variant
      .catch(() => cached.plain)
      .then((ready) => {
        // The client may have disconnected during compression.
        if (!response.destroyed) send(ready)
      })
  }
}

export type SendResponse = ReturnType<typeof createSendResponse>

/** Headers that hooks have set for this client, without the constant ones. */
const clientHeaders = (reply: FastifyReply): Readonly<Record<string, string>> => {
  const own: Record<string, string> = {}
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (!(name in constantHeaders) && value !== undefined) own[name] = String(value)
  }
  return own
}

/** All headers that hooks have set. */
export const hookHeaders = (reply: FastifyReply): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(reply.getHeaders()).map(([name, value]) => [name, String(value)]),
  )

export const sendResponse = (
  send: SendResponse,
  cached: CachedResponse,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
): void => {
  const own = Object.entries(clientHeaders(reply)).flat()
  reply.hijack()
  send(cached, own, { request: request.raw, response: reply.raw })
}

export const sendProblem = (
  request: FastifyRequest,
  reply: FastifyReply,
  problem: Problem,
): void => {
  const occurrence = { path: targetPath(request.originalUrl), requestId: request.id }
  const { status, headers, body } = toProblemResponse(problem, occurrence)
  reply.code(status).headers(headers).send(body)
}

/** Sends a problem on a raw route. */
export const rejectExchange = (
  { request, response, requestId, headers: own }: RawExchange,
  problem: Problem,
): void => {
  const occurrence = { path: targetPath(request.url ?? '/'), requestId }
  const { status, headers, body } = toProblemResponse(problem, occurrence)
  response.writeHead(status, { ...own, ...headers })
  response.end(request.method === 'HEAD' ? undefined : body)
}
