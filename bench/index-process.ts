import { startIndexer } from '../src/indexer/index.ts'
import { systemTimer } from '../src/net/timer.ts'
import type { NodeCounts } from './chain/server.ts'
import { type ResourceUsage, startUsageMeter } from './child.ts'
import { openStore, syntheticDeps } from './indexing.ts'

/** Runs the indexer in its own process, so that memory and CPU are attributable. */

export type IndexingTask = { readonly url: string; readonly storePath: string }

/** From the start of the indexer to the commit of the last confirmed block. */
export type IndexingReport = ResourceUsage & {
  /** Warnings and errors; a run without faults has none. */
  readonly warnings: readonly string[]
  /** Requests that the node has served. */
  readonly counts: NodeCounts
}

const { url, storePath } = JSON.parse(process.argv[2] ?? '{}') as IndexingTask

const warnings: string[] = []
const recordWarning = (message: string, fields?: unknown): void => {
  warnings.push(`${message} ${JSON.stringify(fields ?? {})}`)
}
const logger = { debug: () => {}, info: () => {}, warn: recordWarning, error: recordWarning }

const store = openStore(storePath)
const stopping = new AbortController()
const spent = startUsageMeter()
const reached = Promise.withResolvers<void>()
const indexer = await startIndexer({
  ...syntheticDeps({ urls: [url], store, logger, timer: systemTimer, signal: stopping.signal }),
  onProgress: ({ done, total }) => {
    if (done >= total) reached.resolve()
  },
  onRefused: (reason) => reached.reject(new Error(reason)),
})
await reached.promise
const measured = spent()
const counts = (await (await fetch(`${url}/counts`)).json()) as NodeCounts
process.send?.({ ...measured, warnings: warnings, counts } satisfies IndexingReport)
stopping.abort()
await indexer.stop()
await store.close()
