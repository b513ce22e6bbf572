import { toConfigMessage } from '../../config/config-message.ts'
import { failure, type Outcome, success } from '../../domain/outcome.ts'
import { systemTimer } from '../../net/timer.ts'
import type { Store } from '../../ports/store.ts'
import type { SyncProgressWithEvents } from '../../ports/store-batches.ts'
import type { CommandContext } from '../context.ts'
import { startWorkerThread } from '../worker/worker-thread.ts'
import type { RunningApi } from './api.ts'

const createListener = (
  { progress, logger, fail, rpc }: CommandContext,
  onProgress: () => void,
) => ({
  logger,
  onEndpoints: rpc.set,
  onWaiting: progress.waiting,
  onRefused: fail,
  onProgress: (step: SyncProgressWithEvents) => {
    if (step.phase !== 'done') progress.bootstrap(step)
    else progress.following(`Following the chain, ${step.events} events read since the start`)
    onProgress()
  },
})

const endpointsEveryMs = 2000

/** Imported on demand: the indexer usually runs in a thread, which has its own copy. */
const loadIndexer = () => import('../worker/run-indexer.ts')

/** Runs the indexer in this thread, because a store in memory cannot be shared. */
export const runIndexerInProcess = async (
  context: CommandContext,
  onProgress: () => void,
): Promise<Outcome<Store, string>> => {
  const { config, clock, shutdown } = context
  const { openIndexer } = await loadIndexer()
  const opened = await openIndexer(config, { ...createListener(context, onProgress), clock })
  if (!opened.ok) return failure(opened.fault)
  const { endpoints } = opened.value
  const reporting = setInterval(() => context.rpc.set(endpoints()), endpointsEveryMs).unref()
  shutdown.add(async () => clearInterval(reporting))
  shutdown.add(opened.value.close)
  return success(opened.value.store)
}

/** Runs the indexer in its own thread; readers open the same store. */
export const runIndexerInThread = (context: CommandContext, onProgress: () => void): void => {
  const thread = startWorkerThread(
    toConfigMessage(context.config),
    createListener(context, onProgress),
  )
  context.shutdown.add(thread.stop)
}

/** Longest delay of the indexer, however large the store is. */
const firstPassMsMax = 5000

/**
 * Starts the indexer after the first store sync of the API. Both first read every pool; one after
 * the other, the first page is ready in three quarters of the time.
 */
export const runIndexerAfterApi = (
  context: CommandContext,
  { wake, firstPass }: Pick<RunningApi, 'wake' | 'firstPass'>,
): void => {
  let isStopping = false
  context.shutdown.add(async () => {
    isStopping = true
  })
  void Promise.race([firstPass, systemTimer.sleep(firstPassMsMax)]).then(() => {
    if (!isStopping) runIndexerInThread(context, wake)
  })
}
