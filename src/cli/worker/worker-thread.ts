import { Worker } from 'node:worker_threads'
import type { Logger } from '../../ports/runtime.ts'
import type { SyncProgressWithEvents } from '../../ports/store-batches.ts'
import type { EndpointReport } from '../../rpc/endpoint.ts'
import type { WorkerConfig, WorkerMessage } from './messages.ts'

export type WorkerThread = {
  /** Ends in order: the batch under way is committed, then the store is closed. */
  readonly stop: () => Promise<void>
}

type Listener = {
  readonly logger: Logger
  readonly onProgress: (progress: SyncProgressWithEvents) => void
  /** Another process is active, or the store cannot be reached. */
  readonly onWaiting: (text: string) => void
  readonly onEndpoints: (reports: readonly EndpointReport[]) => void
  readonly onRefused: (reason: string) => void
}

/** A thread that fell is raised again after this long: the API goes on meanwhile. */
const restartWaitMs = 5000

const hear = (message: WorkerMessage, listener: Listener): void => {
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

/** Runs the index in a thread, and raises it again if a bug should end it. */
export const startWorkerThread = (order: WorkerConfig, listener: Listener): WorkerThread => {
  let stopped = false
  let worker: Worker | null = null
  let restart: NodeJS.Timeout | null = null

  const begin = (): void => {
    const thread = new Worker(new URL('./worker-entry.ts', import.meta.url), { workerData: order })
    worker = thread
    thread.on('message', (message: WorkerMessage) => hear(message, listener))
    thread.on('error', (error) => listener.logger.error('The indexer failed', { error }))
    thread.on('exit', () => {
      worker = null
      if (!stopped) restart = setTimeout(begin, restartWaitMs)
    })
  }

  begin()
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
