import { failure, type Outcome, success } from '../domain/outcome.ts'
import { openIndexer } from '../indexing/open-indexer.ts'
import { startIndexingThread } from '../indexing/thread.ts'
import type { Store } from '../ports/store.ts'
import type { IndexProgress } from '../ports/store-rows.ts'
import type { Stage } from './stage.ts'

const listenerOf = ({ progress, logger, fail, rpc }: Stage, onProgress: () => void) => ({
  logger,
  onEndpoints: rpc.set,
  onWaiting: progress.waiting,
  onRefused: fail,
  onProgress: (step: IndexProgress) => {
    if (step.phase !== 'done') progress.bootstrap(step)
    else progress.following(`Following the chain, ${step.events} events read since the start`)
    onProgress()
  },
})

const endpointsEveryMs = 2000

/** Runs the index in this thread; a store in memory can not be shared with another. */
export const runIndexHere = async (
  stage: Stage,
  onProgress: () => void,
): Promise<Outcome<Store, string>> => {
  const { config, clock, ending } = stage
  const opened = await openIndexer(config, { ...listenerOf(stage, onProgress), clock })
  if (!opened.ok) return failure(opened.fault)
  const { endpoints } = opened.value
  const reporting = setInterval(() => stage.rpc.set(endpoints()), endpointsEveryMs).unref()
  ending.add(async () => clearInterval(reporting))
  ending.add(opened.value.close)
  return success(opened.value.store)
}

/** Runs the index in a thread of its own; readers open the store beside it. */
export const runIndexInThread = (stage: Stage, onProgress: () => void): void => {
  const thread = startIndexingThread(stage.order, listenerOf(stage, onProgress))
  stage.ending.add(thread.stop)
}
