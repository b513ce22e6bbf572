import type { ConfigMessage } from '../../config/config-message.ts'
import type { LogFields } from '../../ports/runtime.ts'
import type { IndexProgress } from '../../ports/store-batches.ts'
import type { EndpointReport } from '../../rpc/endpoint.ts'

/** What an indexing thread is given. */
export type IndexingOrder = ConfigMessage

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
