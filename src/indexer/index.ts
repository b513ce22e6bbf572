import { composeIndexer } from './compose.ts'
import type { IndexerDeps } from './deps.ts'
import { startScheduler } from './scheduler.ts'
import { claimStore, loadIndex, readStoredState, recordDisabled } from './startup.ts'

export type Indexer = { readonly stop: () => Promise<void> }

/**
 * Starts the indexer from the stored state. It waits for a chain that does not answer; if the store
 * belongs to another chain, `onRefused` is called and nothing starts.
 */
export const startIndexer = async (deps: IndexerDeps): Promise<Indexer> => {
  const startedTs = deps.clock.now()
  const refusal = await claimStore(deps, { originHash: null, startedTs })
  if (refusal !== null) {
    deps.onRefused(refusal)
    return { stop: async () => {} }
  }
  await recordDisabled(deps)
  const parts = composeIndexer(deps, await readStoredState(deps))
  await loadIndex(deps, parts)
  return startScheduler(deps, parts, startedTs)
}
