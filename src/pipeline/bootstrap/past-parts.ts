import type { TrackedPool } from '../../domain/ingest/tracked-pool.ts'
import type { TokenRoles } from '../../domain/pool/kind.ts'
import type { PoolIdentity } from '../../domain/pool/pool-state.ts'
import type { Reading } from '../../domain/reading.ts'
import type { ReferenceBook } from '../../domain/stock/reference-book.ts'
import type { Address } from '../../domain/units.ts'
import type { StepResult } from '../../util/loop.ts'
import type { IndexerDeps } from '../deps.ts'
import type { Feeds } from '../feeds.ts'
import type { IndexBook } from '../index-book.ts'
import type { KnownHeads } from '../known-heads.ts'
import type { Rebuilder } from '../rebuild.ts'
import type { RefusedLogs } from '../refused-logs.ts'
import type { SourceReport } from '../source-report.ts'
import type { StockDirectory } from '../stock-directory.ts'
import type { TokenReader } from '../token-reader.ts'
import { createBootstrap } from './bootstrap.ts'
import { createHistory, type HistoryFiller } from './history.ts'
import { createNewcomers, type Newcomers } from './newcomers.ts'

/** Beyond this a chain is not read block by block at first: minutes on any node. */
const bootstrapBlocksMin = 200_000

type Shared = {
  readonly deps: IndexerDeps
  readonly references: ReferenceBook
  readonly roles: TokenRoles
  readonly decimalsOf: (address: Address) => Reading<number>
  readonly stocks: StockDirectory
  readonly tokens: TokenReader
  readonly heads: KnownHeads
  readonly index: IndexBook
  readonly rebuilder: Rebuilder
  readonly report: SourceReport
  readonly refusedLogs: RefusedLogs
  readonly feeds: Feeds
  readonly wakers: { readonly tokens: () => void }
}

/** Everything that reads the past, at first and for stocks that come later. */
export type PastParts = {
  /** What comes before following; null once nothing does. */
  readonly first: () => Promise<StepResult | null>
  readonly history: () => Promise<StepResult>
  readonly isFilling: () => boolean
  /** The index, saying how far the past is filled in however near the head it follows. */
  readonly index: IndexBook
}

/** What follows from pools that were found in the past. */
const reactionsOf = ({ tokens, rebuilder, wakers }: Shared) => ({
  onFound: (pools: readonly PoolIdentity[]): void => {
    for (const { key } of pools) {
      tokens.want(key.token0)
      tokens.want(key.token1)
    }
    wakers.tokens()
  },
  onAdopted: (pools: readonly TrackedPool[]): void => {
    for (const { identity, state } of pools) {
      if (state.mapFault === 'index_gap') rebuilder.want(identity.number)
    }
  },
})

const withPast = (
  index: IndexBook,
  { history, newcomers }: { readonly history: HistoryFiller; readonly newcomers: Newcomers },
): IndexBook => ({
  ...index,
  drop: async () => {
    await index.drop()
    // Only now: what they loaded before may have been of what was dropped.
    history.forget()
    newcomers.forget()
  },
  advance: async (logs, reached) => {
    const filling = await history.backfill()
    const isFilling = filling !== null && filling.phase !== 'done'
    return index.advance(logs, isFilling ? { ...reached, backfill: filling } : reached)
  },
})

export const createPastParts = (shared: Shared): PastParts => {
  const { deps, roles, stocks, index, rebuilder } = shared
  const { network, policy } = deps
  const history = createHistory({ ...deps, ...network, ...shared, onGap: rebuilder.want })
  const common = {
    ...deps,
    ...network,
    ...shared,
    ...reactionsOf(shared),
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
  return {
    first: async () => (await bootstrap.step()) ?? (await history.prepare()) ?? newcomers.step(),
    history: history.step,
    isFilling: history.isFilling,
    index: withPast(index, { history, newcomers }),
  }
}
