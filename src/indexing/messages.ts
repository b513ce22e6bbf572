import type { Request } from '../config/config.ts'
import type { LogFields } from '../ports/process.ts'
import type { IndexProgress } from '../ports/store-rows.ts'
import type { EndpointReport } from '../rpc/endpoint.ts'

/** What an indexing thread is given: enough to come to the very same configuration. */
export type IndexingOrder = {
  readonly request: Request
  /** The sandbox's network file; null when the request itself names a network. */
  readonly sandboxFileText: string | null
}

export type LogLine = {
  readonly level: 'debug' | 'info' | 'warn' | 'error'
  readonly message: string
  readonly fields: LogFields | null
}

/** What an indexing thread tells. */
export type IndexingMessage =
  | { readonly kind: 'log'; readonly line: LogLine }
  | { readonly kind: 'progress'; readonly progress: IndexProgress }
  | { readonly kind: 'waiting'; readonly text: string }
  | { readonly kind: 'endpoints'; readonly reports: readonly EndpointReport[] }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'stopped' }
