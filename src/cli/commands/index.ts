import { toConfigMessage } from '../../config/config-message.ts'
import { failure, type Outcome, success } from '../../domain/outcome.ts'
import { systemTimer } from '../../net/timer.ts'
import type { Store } from '../../ports/store.ts'
import type { SyncProgressWithEvents } from '../../ports/store-batches.ts'
import type { CommandContext } from '../context.ts'
import { startWorkerThread } from '../worker/worker-thread.ts'
import type { RunningApi } from './api.ts'

const listenerOf = ({ progress, logger, fail, rpc }: CommandContext, onProgress: () => void) => ({
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

/** Loaded when it is wanted: as a rule the index runs in a thread, which loads it for itself. */
const loadIndexer = () => import('../worker/run-indexer.ts')

/** Runs the index in this thread; a store in memory can not be shared with another. */
export const runIndexerInProcess = async (
  context: CommandContext,
  onProgress: () => void,
): Promise<Outcome<Store, string>> => {
  const { config, clock, shutdown } = context
  const { openIndexer } = await loadIndexer()
  const opened = await openIndexer(config, { ...listenerOf(context, onProgress), clock })
  if (!opened.ok) return failure(opened.fault)
  const { endpoints } = opened.value
  const reporting = setInterval(() => context.rpc.set(endpoints()), endpointsEveryMs).unref()
  shutdown.add(async () => clearInterval(reporting))
  shutdown.add(opened.value.close)
  return success(opened.value.store)
}

/** Runs the index in a thread of its own; readers open the store beside it. */
export const runIndexerInThread = (context: CommandContext, onProgress: () => void): void => {
  const thread = startWorkerThread(toConfigMessage(context.config), listenerOf(context, onProgress))
  context.shutdown.add(thread.stop)
}

/** However large the store is, its index does not stand still for longer. */
const lookMsMax = 5000

/**
 * The same beside an API, after its first look at the store: each of both reads every pool at
 * first, and in turns the first page is there in three quarters of the time.
 */
export const runIndexerAfterApi = (
  context: CommandContext,
  { wake, firstPass }: Pick<RunningApi, 'wake' | 'firstPass'>,
): void => {
  let isEnding = false
  context.shutdown.add(async () => {
    isEnding = true
  })
  void Promise.race([firstPass, systemTimer.sleep(lookMsMax)]).then(() => {
    if (!isEnding) runIndexerInThread(context, wake)
  })
}
