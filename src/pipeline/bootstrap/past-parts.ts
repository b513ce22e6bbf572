import type { TrackedPool } from '../../domain/ingest/tracked-pool.ts'
import type { TokenRoles } from '../../domain/pool/kind.ts'
import type { PoolIdentity } from '../../domain/pool/pool-state.ts'
import type { Reading } from '../../domain/reading.ts'
import type { ReferenceBook } from '../../domain/stock/reference-book.ts'
import type { Address } from '../../domain/units.ts'
import type { Backfill } from '../../ports/store-rows.ts'
import type { StepResult } from '../../util/loop.ts'
import type { IndexerDeps } from '../deps.ts'
import type { Feeds } from '../feeds.ts'
import type { IndexBook } from '../index-book.ts'
import type { IndexerEvents } from '../indexer-events.ts'
import type { KnownHeads } from '../known-heads.ts'
import type { RefusedLogs } from '../refused-logs.ts'
import type { SourceReport } from '../source-report.ts'
import type { StockDirectory } from '../stock-directory.ts'
import { createBootstrap } from './bootstrap.ts'
import { createHistory } from './history.ts'
import { createNewcomers } from './newcomers.ts'

/** Beyond this a chain is not read block by block at first: minutes on any node. */
const bootstrapBlocksMin = 200_000

type Given = {
  readonly references: ReferenceBook
  readonly roles: TokenRoles
  readonly decimalsOf: (address: Address) => Reading<number>
  readonly stocks: StockDirectory
  readonly heads: KnownHeads
  readonly index: IndexBook
  readonly report: SourceReport
  readonly refusedLogs: RefusedLogs
  readonly feeds: Feeds
  readonly events: IndexerEvents
}

/** Everything that reads the past, at first and for stocks that come later. */
export type PastParts = {
  /** What comes before following; null once nothing does. */
  readonly first: () => Promise<StepResult | null>
  readonly history: () => Promise<StepResult>
  /** How far the past is filled in; null unless that is under way. */
  readonly progress: () => Promise<Backfill | null>
}

export const createPastParts = (deps: IndexerDeps, given: Given): PastParts => {
  const { roles, stocks, events } = given
  const { network, policy } = deps
  const history = createHistory({
    ...deps,
    ...network,
    ...given,
    onGap: (pool) => events.emit('poolContradicted', pool),
  })
  const common = {
    ...deps,
    ...network,
    ...given,
    onFound: (pools: readonly PoolIdentity[]) => events.emit('poolsDiscovered', pools),
    onAdopted: (pools: readonly TrackedPool[]) => {
      for (const pool of pools) events.emit('poolLoaded', pool)
    },
    confirmations: policy.confirmations,
    blocksMin: deps.bootstrapBlocksMin ?? bootstrapBlocksMin,
    trusted: network.trusted.map(({ address }) => address),
    stocks: () =>
      stocks
        .all()
        .map(({ address }) => address)
        .filter(roles.isStock),
  }
  const bootstrap = createBootstrap(common)
  const newcomers = createNewcomers(common)
  events.on('indexReset', history.forget)
  events.on('indexReset', newcomers.forget)
  return {
    first: async () => (await bootstrap.step()) ?? (await history.prepare()) ?? newcomers.step(),
    history: history.step,
    progress: async () => {
      const filling = await history.backfill()
      return filling?.phase === 'done' ? null : filling
    },
  }
}
