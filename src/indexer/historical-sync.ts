import type { TokenRoles } from '../domain/pool/pool-kind.ts'
import type { ReferenceHistory } from '../domain/price/reference-history.ts'
import type { Reading } from '../domain/reading.ts'
import type { Address } from '../domain/units.ts'
import type { SyncProgress } from '../ports/store-batches.ts'
import type { StepResult } from '../util/loop.ts'
import { createNewStockBackfill } from './backfill/new-stock-backfill.ts'
import { createSwapBackfill } from './backfill/swap-backfill.ts'
import { createBootstrap } from './bootstrap/bootstrap.ts'
import type { IndexerDeps } from './deps.ts'
import type { ChainlinkFeeds } from './enrich/chainlink-history.ts'
import type { SourceReport } from './enrich/source-report.ts'
import type { StockRegistry } from './enrich/stock-registry.ts'
import type { IndexerEvents } from './events.ts'
import type { HeadCache } from './realtime/head-cache.ts'
import type { IndexState } from './state/index-state.ts'
import type { RejectedLogs } from './verify/rejected-logs.ts'

/** Beyond this a chain is not read block by block at first: minutes on any node. */
const bootstrapBlocksMin = 200_000

type HistoricalSyncDeps = {
  readonly references: ReferenceHistory
  readonly roles: TokenRoles
  readonly decimalsOf: (address: Address) => Reading<number>
  readonly stocks: StockRegistry
  readonly heads: HeadCache
  readonly index: IndexState
  readonly report: SourceReport
  readonly rejectedLogs: RejectedLogs
  readonly feeds: ChainlinkFeeds
  readonly events: IndexerEvents
}

/** Everything that reads the past, at first and for stocks that come later. */
export type HistoricalSync = {
  /** What comes before following; null once nothing does. */
  readonly first: () => Promise<StepResult | null>
  readonly history: () => Promise<StepResult>
  /** How far the past is filled in; null unless that is under way. */
  readonly progress: () => Promise<SyncProgress | null>
}

/** Makes them in the order in which they come to work, and hands each what it needs. */
export const composeHistoricalSync = (
  deps: IndexerDeps,
  given: HistoricalSyncDeps,
): HistoricalSync => {
  const { chain, store, logger, keccak256, network, policy, historyDays, onProgress } = deps
  const { venues, origin, stateViewOf } = network
  const { roles, events } = given
  const stocks = (): readonly Address[] =>
    given.stocks
      .all()
      .map(({ address }) => address)
      .filter(roles.isStock)
  const reading = { ...given, chain, store, logger, keccak256, venues, origin, historyDays, stocks }
  const bootstrap = createBootstrap({
    ...reading,
    stateViewOf,
    trusted: network.trusted.map(({ address }) => address),
    confirmations: policy.confirmations,
    blocksMin: deps.bootstrapBlocksMin ?? bootstrapBlocksMin,
    onProgress,
  })
  const history = createSwapBackfill({ ...reading, onProgress })
  const newcomers = createNewStockBackfill(reading)
  events.on('indexReset', history.reset)
  events.on('indexReset', newcomers.reset)
  return {
    first: async () => (await bootstrap.step()) ?? (await history.prepare()) ?? newcomers.step(),
    history: history.step,
    progress: async () => {
      const filling = await history.progress()
      return filling?.phase === 'done' ? null : filling
    },
  }
}
