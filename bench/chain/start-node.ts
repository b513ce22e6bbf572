import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { NodeBehavior } from './node-behavior.ts'
import type { NodeCounts, NodeOptions } from './server.ts'

/** A node in its own thread, with its controls. */
export type RunningNode = {
  readonly url: string
  readonly counts: () => Promise<NodeCounts>
  /** Sets all counts to zero. */
  readonly resetCounts: () => Promise<void>
  readonly setBehavior: (behavior: Partial<NodeBehavior>) => Promise<void>
  readonly stop: () => Promise<void>
}

export const startNode = async (options: Partial<NodeOptions>): Promise<RunningNode> => {
  const worker = new Worker(new URL('./server.ts', import.meta.url), { workerData: options })
  const [url] = (await once(worker, 'message')) as [string]
  return {
    url,
    counts: async () => (await fetch(`${url}/counts`)).json() as Promise<NodeCounts>,
    resetCounts: async () => {
      await (await fetch(`${url}/counts`, { method: 'DELETE' })).text()
    },
    setBehavior: async (behavior) => {
      const body = JSON.stringify(behavior)
      await (await fetch(`${url}/behavior`, { method: 'POST', body })).text()
    },
    stop: async () => {
      await worker.terminate()
    },
  }
}
