import { parentPort, workerData } from 'node:worker_threads'
import { systemClock } from '../clock.ts'
import { configOf } from '../config/config.ts'
import type { LogFields, Logger } from '../ports/process.ts'
import type { IndexingMessage, IndexingOrder, LogLine } from './messages.ts'
import { openIndexer } from './open-indexer.ts'

/** The index in a thread of its own, so that a large batch never makes a request wait. */

const port = parentPort
if (port === null) throw new Error('this file runs as a worker thread only')
const tell = (message: IndexingMessage): void => port.postMessage(message)

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

const { request, sandboxFileText } = workerData as IndexingOrder
const config = configOf(request, sandboxFileText)
if (!config.ok) throw new Error(config.fault)

const opened = await openIndexer(config.value, {
  logger,
  clock: systemClock,
  onProgress: (progress) => tell({ kind: 'progress', progress }),
  onRefused: (reason) => tell({ kind: 'refused', reason }),
})
if (!opened.ok) throw new Error(opened.fault)

const endpointsEveryMs = 2000
setInterval(() => {
  tell({ kind: 'endpoints', reports: opened.value.endpoints() })
}, endpointsEveryMs).unref()

port.once('message', async () => {
  await opened.value.close()
  tell({ kind: 'stopped' })
  port.close()
})
