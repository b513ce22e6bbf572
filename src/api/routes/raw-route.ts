import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Problem, problemBody, problemType, statusOf } from '../http/problems.ts'
import { pathOf } from '../http/request-target.ts'
import type { AnswerContext } from './endpoint.ts'

/** A request and its reply, of which nothing is written yet. */
export type Exchange = {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly requestId: string
  /** They belong to the reply, whatever it says. */
  readonly headers: Readonly<Record<string, string>>
  /** Counts so many requests more against the client's rate. */
  readonly charge: (requests: number) => void
}

export type OpenChannel = {
  /** Has the whole reply in its hands. */
  readonly handle: (exchange: Exchange) => void
  /** Ends everything that is under way, for an orderly stop. */
  readonly close: () => void | Promise<void>
}

/** What takes a request over instead of answering it once: streams and conversations. */
export type Channel = {
  readonly path: `/${string}`
  readonly summary: string
  /** Besides OPTIONS. */
  readonly methods: readonly ('GET' | 'HEAD' | 'POST' | 'DELETE')[]
  readonly rateLimited: boolean
  /** Made once per server. */
  readonly open: (context: AnswerContext) => OpenChannel
}

/** A refusal as a channel says it: the same problem document as everywhere. */
export const refuseExchange = (
  { request, response, requestId, headers }: Exchange,
  problem: Problem,
): void => {
  const body = problemBody(problem, { path: pathOf(request.url ?? '/'), requestId })
  response.writeHead(statusOf(problem), {
    ...headers,
    'cache-control': 'no-store',
    'x-request-id': requestId,
    ...problem.headers,
    'content-type': problemType,
    'content-length': Buffer.byteLength(body),
  })
  response.end(request.method === 'HEAD' ? undefined : body)
}
