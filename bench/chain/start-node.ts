import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Manners } from './manners.ts'
import type { NodeCounts, NodeOrder } from './server.ts'

/** A node that runs in a thread of its own, and how to speak to it besides JSON-RPC. */
export type RunningNode = {
  readonly url: string
  readonly counts: () => Promise<NodeCounts>
  /** Counts from zero again. */
  readonly recount: () => Promise<void>
  readonly behave: (manners: Partial<Manners>) => Promise<void>
  readonly stop: () => Promise<void>
}

export const startNode = async (order: Partial<NodeOrder>): Promise<RunningNode> => {
  const worker = new Worker(new URL('./server.ts', import.meta.url), { workerData: order })
  const [url] = (await once(worker, 'message')) as [string]
  return {
    url,
    counts: async () => (await fetch(`${url}/counts`)).json() as Promise<NodeCounts>,
    recount: async () => {
      await (await fetch(`${url}/counts`, { method: 'DELETE' })).text()
    },
    behave: async (manners) => {
      const body = JSON.stringify(manners)
      await (await fetch(`${url}/manners`, { method: 'POST', body })).text()
    },
    stop: async () => {
      await worker.terminate()
    },
  }
}
