import { composeIndexer } from './compose.ts'
import type { IndexerDeps } from './deps.ts'
import { startScheduler } from './scheduler.ts'
import { claimStore, loadIndex, readStoredState, recordDisabled } from './state/startup.ts'

export type Indexer = { readonly stop: () => Promise<void> }

/**
 * Runs the index: takes up where the store was left, and follows the chain. A chain that does not
 * answer is waited for; a store of another chain is refused.
 */
export const startIndexer = async (deps: IndexerDeps): Promise<Indexer> => {
  const startedTs = deps.clock.now()
  const refused = await claimStore(deps, { originHash: null, startedTs })
  if (refused !== null) {
    deps.onRefused(refused)
    return { stop: async () => {} }
  }
  await recordDisabled(deps)
  const parts = composeIndexer(deps, await readStoredState(deps))
  await loadIndex(deps, parts)
  return startScheduler(deps, parts, startedTs)
}
