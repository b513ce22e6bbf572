import type { BlockRef } from '../../domain/chain/block-ref.ts'
import type { ChainLog } from '../../domain/chain/log.ts'
import type { Venues } from '../../domain/ingest/decode-pool-log.ts'
import type { PoolNumber } from '../../domain/pool/pool-state.ts'
import type { TrackedPool } from '../../domain/pool/tracked-pool.ts'
import type { Address, BlockNumber, Hash } from '../../domain/units.ts'
import type { ChainReader } from '../../ports/chain-reader.ts'
import type { Logger } from '../../ports/runtime.ts'
import type { SyncProgress } from '../../ports/store-batches.ts'
import type { IndexerEvents } from '../events.ts'
import { createSingleEndpointWarning } from '../scan/cross-check.ts'
import type { DiscoveredPools } from '../scan/discovered-pools.ts'
import { createLogScan, type LogScan, progressOf } from '../scan/log-scan.ts'
import {
  groupFilter,
  groupPools,
  type PoolGroup,
  referenceCreationFilters,
  stockCreationFilters,
} from '../scan/pool-log-filters.ts'

/** The reading under way: everything up to `to` is in once its stages are over. */
export type BootstrapRun = {
  readonly book: DiscoveredPools
  readonly stocks: readonly Address[]
  readonly to: BlockRef
  /** Pools with the states that they have at `to`, as far as they were asked for them. */
  readonly states: Map<PoolNumber, TrackedPool>
  readonly stage: 'discover' | 'liquidity' | 'state'
  /** Of the stage; states are not swept. */
  readonly sweeps: readonly LogScan[]
  /** Blocks that its sweeps need not read any more. */
  readonly blocksBefore: number
}

export const bootstrapProgress = ({
  stage,
  states,
  book,
  sweeps,
  blocksBefore,
}: BootstrapRun): SyncProgress => {
  if (stage === 'state') return { phase: stage, done: states.size, total: book.pools().length }
  const { done, total } = progressOf(sweeps)
  return { phase: stage, done: blocksBefore + done, total: blocksBefore + total }
}

/** How a reading goes from stage to stage. */
export const createPhases = (deps: {
  readonly chain: ChainReader
  readonly logger: Logger
  readonly venues: Venues
  readonly trusted: readonly Address[]
  readonly origin: BlockNumber
  readonly events: IndexerEvents
  readonly count: (logs: number) => void
}) => {
  const { chain, logger, venues, trusted, origin, events, count } = deps
  const sweeping = { chain, onAlone: createSingleEndpointWarning(logger) }

  const discover = (run: Pick<BootstrapRun, 'book' | 'stocks' | 'to' | 'states'>): BootstrapRun => {
    const { book, stocks, to } = run
    const from = Math.max(origin, book.foundTo() + 1)
    const filters = [
      ...stockCreationFilters(venues, stocks),
      ...referenceCreationFilters(venues, trusted),
    ]
    const take = (logs: readonly ChainLog[], taken: BlockNumber): void => {
      count(logs.length)
      const found = book.discover(logs, taken)
      if (found.length > 0) events.emit('poolsDiscovered', found)
    }
    const target = { filters, range: { from, to: to.block }, on: to, times: true, take }
    const sweeps = [createLogScan(target, sweeping)]
    return { ...run, stage: 'discover', sweeps, blocksBefore: from - origin }
  }

  /** A state that is known already stays what it is until an event of its pool is told. */
  const topicsOf = ({ dex }: PoolGroup, { states }: BootstrapRun): readonly Hash[] =>
    states.size === 0
      ? dex.liquidityTopics
      : dex.topics.filter((topic) => topic !== dex.creationTopic)

  const liquidity = (run: BootstrapRun): BootstrapRun => {
    const { book, to, states } = run
    const pools = book.pools().map(({ identity }) => identity)
    let blocksBefore = 0
    const sweeps = groupPools(pools).map((group) => {
      const born = Math.min(...group.pools.map(({ createdBlock }) => createdBlock))
      const from = Math.min(...group.pools.map(book.mappedTo)) + 1
      blocksBefore += from - born
      const take = (logs: readonly ChainLog[], taken: BlockNumber): void => {
        count(logs.length)
        const touched = book.applyLiquidityLogs(logs, { pools: group.pools, to: taken })
        for (const number of touched) states.delete(number)
      }
      const filters = [groupFilter(group, topicsOf(group, run))]
      // Only a pool's creation is remembered by its time.
      const target = { filters, range: { from, to: to.block }, on: to, times: false, take }
      return createLogScan(target, sweeping)
    })
    return { ...run, stage: 'liquidity', sweeps, blocksBefore }
  }

  const state = (run: BootstrapRun): BootstrapRun => ({
    ...run,
    stage: 'state',
    sweeps: [],
    blocksBefore: 0,
  })

  return { discover, liquidity, state }
}
