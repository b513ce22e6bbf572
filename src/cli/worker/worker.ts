import { parentPort, workerData } from 'node:worker_threads'
import { fromConfigMessage } from '../../config/config-message.ts'
import type { LogFields, Logger } from '../../ports/runtime.ts'
import type { SyncProgressWithEvents } from '../../ports/store-batches.ts'
import { systemClock } from '../clock.ts'
import type { LogLine, WorkerConfig, WorkerMessage } from './messages.ts'
import { openIndexer } from './run-indexer.ts'
import { runWithLease, type SharedIndexer } from './run-with-lease.ts'
import { lowerThreadPriority } from './thread-priority.ts'

/** Runs the indexer in its own thread, so that a large batch never delays an API request. */

const port = parentPort
if (port === null) throw new Error('worker.ts must run in a worker thread')
const send = (message: WorkerMessage): void => port.postMessage(message)

const logTo =
  (level: LogLine['level']) =>
  (message: string, fields?: LogFields): void =>
    send({ kind: 'log', line: { level, message, fields: fields ?? null } })

const logger: Logger = {
  debug: logTo('debug'),
  info: logTo('info'),
  warn: logTo('warn'),
  error: logTo('error'),
}

const config = fromConfigMessage(workerData as WorkerConfig)
lowerThreadPriority()

const host = {
  logger,
  clock: systemClock,
  onProgress: (progress: SyncProgressWithEvents) => send({ kind: 'progress', progress }),
  onRefused: (reason: string) => send({ kind: 'refused', reason }),
  onWaiting: (text: string) => send({ kind: 'waiting', text }),
}

const start = async (): Promise<SharedIndexer> => {
  const { store } = config
  if (store.kind === 'postgres') return runWithLease(config, store, host)
  const opened = await openIndexer(config, host)
  if (!opened.ok) throw new Error(opened.fault)
  return opened.value
}

const indexer = await start()

const endpointsEveryMs = 2000
setInterval(() => {
  send({ kind: 'endpoints', reports: indexer.endpoints() })
}, endpointsEveryMs).unref()

const lingerMs = 200
port.once('message', async () => {
  await indexer.close()
  send({ kind: 'stopped' })
  port.close()
  // A wait for an unresponsive database must not keep the thread alive.
  setTimeout(() => process.exit(0), lingerMs).unref()
})
