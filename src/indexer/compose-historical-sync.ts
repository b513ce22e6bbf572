import type { Address } from '../domain/units.ts'
import type { SyncProgress } from '../ports/store-batches.ts'
import type { StepResult } from '../util/loop.ts'
import { createPoolSearcher } from './backfill/pool-searcher.ts'
import { createSwapBackfill } from './backfill/swap-backfill.ts'
import { createBootstrap } from './bootstrap/bootstrap.ts'
import type { Tokens } from './compose-tokens.ts'
import type { IndexerDeps } from './deps.ts'
import type { IndexerEvents } from './events.ts'
import type { HeadCache } from './realtime/head-cache.ts'
import type { SearchTarget } from './search-scope.ts'
import type { SourceReport } from './source-report.ts'
import type { IndexState } from './state/index-state.ts'
import type { RejectedLogs } from './verify/rejected-logs.ts'

/** A longer chain, minutes of range reads on any endpoint, begins with a bootstrap. */
const bootstrapBlocksMin = 200_000

/** The parts that sync with the chain share these. */
export type SyncParts = Tokens & {
  readonly heads: HeadCache
  readonly index: IndexState
  readonly report: SourceReport
  readonly events: IndexerEvents
  readonly rejectedLogs: RejectedLogs
}

/** Bootstrap and the two backfills. */
export const composeHistoricalSync = (deps: IndexerDeps, parts: SyncParts) => {
  const { chain, store, logger, keccak256, network, policy, historyDays, onProgress } = deps
  const { venues, origin, stateViewOf } = network
  const { roles, events } = parts
  const stocks = (): readonly Address[] => {
    const addresses = parts.stocks.all().map(({ address }) => address)
    return addresses.filter(roles.isStock)
  }
  const fixed: readonly SearchTarget[] = [
    ...[...venues.values()].map(({ address, startBlock: fromBlock }) => {
      return { address, kind: 'venue' as const, fromBlock }
    }),
    ...network.trusted.map(({ address }) => {
      return { address, kind: 'trusted' as const, fromBlock: origin }
    }),
  ]
  const scope = (): readonly SearchTarget[] => [
    ...fixed,
    ...stocks().map((address) => ({ address, kind: 'stock' as const, fromBlock: origin })),
  ]
  const shared = { ...parts, chain, store, logger, keccak256, venues, origin, historyDays, scope }
  const bootstrap = createBootstrap({
    ...shared,
    stateViewOf,
    confirmations: policy.confirmations,
    blocksMin: deps.bootstrapBlocksMin ?? bootstrapBlocksMin,
    onProgress,
  })
  const swapBackfill = createSwapBackfill({ ...shared, onProgress })
  const searcher = createPoolSearcher({ ...shared, clock: deps.clock })
  events.on('indexReset', swapBackfill.reset)
  events.on('indexReset', searcher.reset)
  return {
    /** The step that must precede realtime sync; null if none is left. */
    stepBeforeRealtime: async (): Promise<StepResult | null> =>
      (await bootstrap.step()) ?? (await swapBackfill.prepare()) ?? searcher.step(),
    backfillStep: swapBackfill.step,
    searchAgain: searcher.searchAgain,
    scope,
    /** Null unless a backfill is running. */
    backfillProgress: async (): Promise<SyncProgress | null> => {
      const progress = await swapBackfill.progress()
      return progress?.phase === 'done' ? null : progress
    },
  }
}

export type HistoricalSync = ReturnType<typeof composeHistoricalSync>
