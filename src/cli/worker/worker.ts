import { parentPort, workerData } from 'node:worker_threads'
import { fromConfigMessage } from '../../config/config-message.ts'
import type { LogFields, Logger } from '../../ports/runtime.ts'
import type { SyncProgressWithEvents } from '../../ports/store-batches.ts'
import { systemClock } from '../clock.ts'
import type { LogLine, WorkerConfig, WorkerMessage } from './messages.ts'
import { openIndexer } from './run-indexer.ts'
import { runWithLease, type SharedIndexer } from './run-with-lease.ts'
import { lowerThreadPriority } from './thread-priority.ts'

/** The index in a thread of its own, so that a large batch never makes a request wait. */

const port = parentPort
if (port === null) throw new Error('this file runs as a worker thread only')
const tell = (message: WorkerMessage): void => port.postMessage(message)

const logTo =
  (level: LogLine['level']) =>
  (message: string, fields?: LogFields): void =>
    tell({ kind: 'log', line: { level, message, fields: fields ?? null } })

const logger: Logger = {
  debug: logTo('debug'),
  info: logTo('info'),
  warn: logTo('warn'),
  error: logTo('error'),
}

const config = fromConfigMessage(workerData as WorkerConfig)
lowerThreadPriority()

const outside = {
  logger,
  clock: systemClock,
  onProgress: (progress: SyncProgressWithEvents) => tell({ kind: 'progress', progress }),
  onRefused: (reason: string) => tell({ kind: 'refused', reason }),
  onWaiting: (text: string) => tell({ kind: 'waiting', text }),
}

const start = async (): Promise<SharedIndexer> => {
  const { store } = config
  if (store.kind === 'postgres') return runWithLease(config, store, outside)
  const opened = await openIndexer(config, outside)
  if (!opened.ok) throw new Error(opened.fault)
  return opened.value
}

const indexer = await start()

const endpointsEveryMs = 2000
setInterval(() => {
  tell({ kind: 'endpoints', reports: indexer.endpoints() })
}, endpointsEveryMs).unref()

const lingerMs = 200
port.once('message', async () => {
  await indexer.close()
  tell({ kind: 'stopped' })
  port.close()
  // What waits for a database that says nothing must not keep the thread alive.
  setTimeout(() => process.exit(0), lingerMs).unref()
})
