import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'

/* A thread steps back by itself: the one that started it stays where it was. */

/** The priority of the thread that runs it; 0 where threads have none. */
const priorityText = `() => {
  if (process.platform !== 'linux') return 0
  const link = require('node:fs').readlinkSync('/proc/thread-self')
  return require('node:os').getPriority(Number(link.split('/').at(-1)))
}`

const outer = `
  const { Worker, parentPort } = require('node:worker_threads')
  const priority = ${priorityText}
  const before = priority()
  const inner = new Worker(process.argv[2], { eval: true })
  inner.once('message', (yielded) => {
    parentPort.postMessage({ before, yielded, after: priority() })
    inner.terminate()
  })`

const moduleUrl = new URL('./thread-priority.ts', import.meta.url).href

const inner = `
  import(${JSON.stringify(moduleUrl)}).then((module) => {
    module.lowerThreadPriority()
    require('node:worker_threads').parentPort.postMessage((${priorityText})())
  })`

test('the thread alone yields', async () => {
  const worker = new Worker(outer, { eval: true, argv: [inner] })
  const priorities = await new Promise<Record<'before' | 'yielded' | 'after', number>>(
    (resolve, fail) => {
      worker.once('message', resolve)
      worker.once('error', fail)
    },
  )
  await worker.terminate()
  const { before, yielded, after } = priorities
  expect(after).toBe(before)
  expect(yielded).toBe(process.platform === 'linux' ? Math.min(19, before + 5) : 0)
})
