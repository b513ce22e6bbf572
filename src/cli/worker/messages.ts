import type { ConfigMessage } from '../../config/config-message.ts'
import type { LogFields } from '../../ports/runtime.ts'
import type { SyncProgressWithEvents } from '../../ports/store-batches.ts'
import type { EndpointReport } from '../../rpc/endpoint.ts'

export type WorkerConfig = ConfigMessage

export type LogLine = {
  readonly level: 'debug' | 'info' | 'warn' | 'error'
  readonly message: string
  readonly fields: LogFields | null
}

/** Messages of the indexer thread. */
export type WorkerMessage =
  | { readonly kind: 'log'; readonly line: LogLine }
  | { readonly kind: 'progress'; readonly progress: SyncProgressWithEvents }
  | { readonly kind: 'waiting'; readonly text: string }
  | { readonly kind: 'endpoints'; readonly reports: readonly EndpointReport[] }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'stopped' }
