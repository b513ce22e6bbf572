import type { BlockRef } from '../../domain/chain/block-ref.ts'
import type { ChainLog } from '../../domain/chain/log.ts'
import type { Keccak256 } from '../../domain/dex/pool-id.ts'
import { changeTopicsOf } from '../../domain/dex/protocol.ts'
import type { Venues } from '../../domain/dex/venue.ts'
import { type Outcome, success } from '../../domain/outcome.ts'
import type { TokenRoles } from '../../domain/pool/pool-kind.ts'
import type { PoolNumber } from '../../domain/pool/pool-state.ts'
import type { TrackedPool } from '../../domain/pool/tracked-pool.ts'
import { flatCandlesAt } from '../../domain/series/candles.ts'
import type { PoolSearch } from '../../domain/status/pool-search.ts'
import type { Address, BlockNumber } from '../../domain/units.ts'
import type { ChainReader, RpcFault } from '../../ports/chain-reader.ts'
import type { Logger } from '../../ports/runtime.ts'
import type { Store } from '../../ports/store.ts'
import type {
  PoolSeedBatch,
  SyncProgress,
  SyncProgressWithEvents,
} from '../../ports/store-batches.ts'
import { backfillProgress, findFirstBackfillBlock } from '../backfill-window.ts'
import type { IndexerEvents } from '../events.ts'
import { groupFilter, groupPools } from '../pool-log-filters.ts'
import type { HeadCache } from '../realtime/head-cache.ts'
import { createSingleEndpointWarning } from '../scan/cross-check.ts'
import type { DiscoveredPools } from '../scan/discovered-pools.ts'
import { createLogScan, type LogScan, scanProgress } from '../scan/log-scan.ts'
import { creationFilters, type SearchTarget } from '../search-scope.ts'
import type { SourceReport } from '../source-report.ts'
import type { IndexState } from '../state/index-state.ts'
import type { RejectedLogs } from '../verify/rejected-logs.ts'

export type BootstrapDeps = {
  readonly chain: ChainReader
  readonly heads: HeadCache
  readonly store: Store
  readonly index: IndexState
  readonly logger: Logger
  readonly events: IndexerEvents
  readonly report: SourceReport
  readonly rejectedLogs: RejectedLogs
  readonly venues: Venues
  readonly keccak256: Keccak256
  readonly roles: TokenRoles
  readonly stateViewOf: (venue: Address) => Address | null
  /** Venues, trusted tokens and all listed addresses that may be stocks, as of now. */
  readonly scope: () => readonly SearchTarget[]
  readonly origin: BlockNumber
  readonly confirmations: number
  readonly historyDays: number
  /** A shorter chain is not bootstrapped: realtime sync reads it from the origin. */
  readonly blocksMin: number
  readonly onProgress: (progress: SyncProgressWithEvents) => void
}

/** The bootstrap in memory: everything up to block `to` is read once its phases are complete. */
export type BootstrapRun = {
  readonly discovered: DiscoveredPools
  readonly searches: readonly PoolSearch[]
  readonly to: BlockRef
  /** The pools whose states at `to` were read. */
  readonly states: Map<PoolNumber, TrackedPool>
  readonly phase: 'discover' | 'liquidity' | 'state'
  /** Scans of the phase; none in the phase `state`. */
  readonly scans: readonly LogScan[]
  /** Blocks of the phase that earlier scans read. */
  readonly blocksDoneBefore: number
}

export const bootstrapProgress = (run: BootstrapRun): SyncProgress => {
  const { phase, states, discovered, scans, blocksDoneBefore } = run
  if (phase === 'state') return { phase, done: states.size, total: discovered.all().length }
  const { done, total } = scanProgress(scans)
  return { phase, done: blocksDoneBefore + done, total: blocksDoneBefore + total }
}

/** Moves a run into each phase, with the scans that the phase needs. */
export const createPhases = (
  deps: BootstrapDeps & { readonly onLogCount: (logs: number) => void },
) => {
  const { chain, logger, venues, scope, origin, events, onLogCount } = deps
  const scanDeps = { chain, onSingleEndpoint: createSingleEndpointWarning(logger) }

  const enterDiscover = (
    run: Pick<BootstrapRun, 'discovered' | 'searches' | 'to' | 'states'>,
  ): BootstrapRun => {
    const { discovered, searches, to } = run
    const from = Math.max(origin, discovered.discoveredTo() + 1)
    // A bootstrap that an earlier version began stored its stocks only.
    const others = searches.some(({ kind }) => kind === 'venue')
      ? []
      : scope().filter(({ kind }) => kind !== 'stock')
    const targets = [...searches, ...others]
    const filters = creationFilters(targets, targets, venues)
    const onLogs = (logs: readonly ChainLog[], scannedTo: BlockNumber): void => {
      onLogCount(logs.length)
      const found = discovered.discover(logs, scannedTo)
      if (found.length > 0) events.emit('poolsDiscovered', found)
    }
    const target = { filters, range: { from, to: to.block }, branchBlock: to, times: true, onLogs }
    const scans = [createLogScan(target, scanDeps)]
    return { ...run, phase: 'discover', scans, blocksDoneBefore: from - origin }
  }

  const enterLiquidity = (run: BootstrapRun): BootstrapRun => {
    const { discovered, to, states } = run
    const pools = discovered.all().map(({ identity }) => identity)
    let blocksDoneBefore = 0
    const scans = groupPools(pools).map((group) => {
      const { liquidityTopics } = group.dex
      const createdFrom = Math.min(...group.pools.map(({ createdBlock }) => createdBlock))
      const from = Math.min(...group.pools.map(discovered.mappedTo)) + 1
      blocksDoneBefore += from - createdFrom
      const onLogs = (logs: readonly ChainLog[], scannedTo: BlockNumber): void => {
        onLogCount(logs.length)
        const upTo = { pools: group.pools, to: scannedTo }
        for (const number of discovered.applyLiquidityLogs(logs, upTo)) states.delete(number)
      }
      // A state that was read earlier stays valid until any event of its pool.
      const wanted = states.size === 0 ? liquidityTopics : changeTopicsOf(group.dex)
      const range = { from, to: to.block }
      // Only a pool's creation is stored with its time.
      const target = { range, branchBlock: to, times: false, onLogs }
      return createLogScan({ ...target, filters: [groupFilter(group, wanted)] }, scanDeps)
    })
    return { ...run, phase: 'liquidity', scans, blocksDoneBefore }
  }

  const enterState = (run: BootstrapRun): BootstrapRun => ({
    ...run,
    phase: 'state',
    scans: [],
    blocksDoneBefore: 0,
  })

  return { enterDiscover, enterLiquidity, enterState }
}

/** The batch that ends the bootstrap: every pool's state at `to`, and the backfill's window. */
export const buildSeedBatch = async (
  { to, searches, states }: Pick<BootstrapRun, 'to' | 'searches' | 'states'>,
  deps: Parameters<typeof findFirstBackfillBlock>[0],
): Promise<Outcome<PoolSeedBatch, RpcFault>> => {
  const pools = [...states.values()]
  const firstBlock = await findFirstBackfillBlock(deps, to)
  if (!firstBlock.ok) return firstBlock
  const heads = await deps.chain.getHeads()
  if (!heads.ok) return heads
  const backfillCursor = {
    completeAfter: to,
    firstBlock: firstBlock.value,
    startedAt: to.block,
    lastPoolNumber: pools.length,
  }
  return success({
    expectedCursor: null,
    at: to,
    head: heads.value.latest,
    progress: backfillProgress(backfillCursor),
    backfillCursor,
    searches,
    blocks: [],
    // Pools and ticks were stored when they were found.
    pools: [],
    ticks: [],
    states: pools.map(({ identity, state }) => ({ pool: identity.number, state })),
    swaps: [],
    liquidity: [],
    // Every pool's series starts here, whether it trades or not.
    candles: pools.flatMap((pool) => flatCandlesAt(pool, to.ts)),
    references: [],
  })
}
