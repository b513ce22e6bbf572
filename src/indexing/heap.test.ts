import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { startProcess } from '../../test/setup/processes.ts'
import { indexHeapMb } from './heap.ts'

test.each([
  { machine: 'much memory', ownMb: 4144, limitMb: 1500 },
  { machine: 'little memory: V8 allows less by itself', ownMb: 560, limitMb: null },
])('$machine', ({ ownMb, limitMb }) => {
  expect(indexHeapMb(ownMb)).toBe(limitMb)
})

/** Tells the limit of its own heap, young objects included. */
const telling = `require('node:worker_threads').parentPort.postMessage(
  require('node:v8').getHeapStatistics().heap_size_limit / 1024 ** 2)`

test('a thread has the limit that it is given', async () => {
  const worker = new Worker(telling, {
    eval: true,
    resourceLimits: { maxOldGenerationSizeMb: 300 },
  })
  const limitMb = await new Promise<number>((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
  })
  expect(limitMb).toBeGreaterThan(300)
  expect(limitMb).toBeLessThan(700)
})

// Who has more pools than fit raises the limit so, as docs/operations.md says.
test('a limit that node is given goes before it', async () => {
  const program = `const { Worker } = require('node:worker_threads')
    const given = { eval: true, resourceLimits: { maxOldGenerationSizeMb: 300 } }
    new Worker(${JSON.stringify(telling)}, given).once('message', (mb) => console.log(mb))`
  const flags = ['--max-semi-space-size=16', '--max-old-space-size=3000']
  const { stdout } = await startProcess(process.execPath, [...flags, '--eval', program]).ended
  expect(Number(stdout)).toBeGreaterThan(3000)
})
