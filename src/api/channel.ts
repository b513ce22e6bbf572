import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AnswerContext } from './endpoint.ts'

export type OpenChannel = {
  /** Has the whole reply in its hands; `headers` belong to it, whatever it says. */
  readonly handle: (
    request: IncomingMessage,
    response: ServerResponse,
    headers: Readonly<Record<string, string>>,
  ) => void
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
