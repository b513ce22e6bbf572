import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Logger } from '../../ports/runtime.ts'
import type { SyncProgressWithEvents } from '../../ports/store-batches.ts'
import type { EndpointReport } from '../../rpc/endpoint.ts'
import type { WorkerConfig, WorkerMessage } from './messages.ts'

export type WorkerThread = {
  /** Commits the current batch, then closes the store. */
  readonly stop: () => Promise<void>
}

type Listener = {
  readonly logger: Logger
  readonly onProgress: (progress: SyncProgressWithEvents) => void
  /** Another process holds the lease, or the store is unavailable. */
  readonly onWaiting: (text: string) => void
  readonly onEndpoints: (reports: readonly EndpointReport[]) => void
  readonly onRefused: (reason: string) => void
}

/** Delay before a crashed indexer thread is restarted; the API keeps running. */
const restartWaitMs = 5000

const dispatch = (message: WorkerMessage, listener: Listener): void => {
  switch (message.kind) {
    case 'log':
      listener.logger[message.line.level](message.line.message, message.line.fields ?? {})
      break
    case 'progress':
      listener.onProgress(message.progress)
      break
    case 'waiting':
      listener.onWaiting(message.text)
      break
    case 'endpoints':
      listener.onEndpoints(message.reports)
      break
    case 'refused':
      listener.onRefused(message.reason)
      break
    case 'stopped':
      break
  }
}

/** A package has JavaScript in the place of the sources. */
const entry = new URL(`./worker-entry${extname(import.meta.url)}`, import.meta.url)

/** Runs the indexer in a thread, and restarts it after a crash. */
export const startWorkerThread = (config: WorkerConfig, listener: Listener): WorkerThread => {
  let stopped = false
  let worker: Worker | null = null
  let restart: NodeJS.Timeout | null = null

  const start = (): void => {
    const thread = new Worker(entry, { workerData: config })
    worker = thread
    thread.on('message', (message: WorkerMessage) => dispatch(message, listener))
    thread.on('error', (error) => listener.logger.error('Indexer thread failed', { error }))
    thread.on('exit', () => {
      worker = null
      if (!stopped) restart = setTimeout(start, restartWaitMs)
    })
  }

  start()
  return {
    stop: async () => {
      stopped = true
      if (restart !== null) clearTimeout(restart)
      const thread = worker
      if (thread === null) return
      const ended = new Promise((resolve) => thread.once('exit', resolve))
      thread.postMessage('stop')
      await ended
    },
  }
}
