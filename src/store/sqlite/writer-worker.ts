import { parentPort, workerData } from 'node:worker_threads'
import { createSqliteWriter } from './sqlite-store.ts'
import type { WriterAnswer, WriterOrder } from './writer-messages.ts'

/** The thread that writes: it is given whole batches, and waits for the disk. */

const port = parentPort
if (port === null) throw new Error('this file runs as a worker thread only')
const tell = (answer: WriterAnswer): void => port.postMessage(answer)

const opened = createSqliteWriter(workerData as { readonly path: string })
if (opened.ok) {
  const writer = opened.value
  port.on('message', async ({ number, method, input }: WriterOrder) => {
    const call = writer[method] as (...input: readonly unknown[]) => Promise<unknown>
    try {
      tell({ kind: 'done', number, value: await call(...input) })
    } catch (error) {
      tell({ kind: 'failed', number, error })
    }
    if (method === 'close') port.close()
  })
  tell({ kind: 'open' })
} else tell({ kind: 'refused', fault: opened.fault })
