import type { ChainLog } from '../domain/chain/chain-log.ts'
import { createRangeSize } from '../domain/chain/range-size.ts'
import type { Keccak256 } from '../domain/dex/identity.ts'
import { dexes } from '../domain/dex/registry.ts'
import { recognise, type Venues } from '../domain/ingest/recognise.ts'
import {
  applyEvent,
  newlyCreated,
  type TrackedPool,
  withReserves,
} from '../domain/ingest/tracked-pool.ts'
import { type Outcome, success } from '../domain/outcome.ts'
import { ticksOfLiquidityMap } from '../domain/pool/liquidity-map.ts'
import type { PoolIdentity, PoolNumber } from '../domain/pool/pool-state.ts'
import type { BlockNumber } from '../domain/units.ts'
import type { ChainReader, Clock, LogFilter, Logger, RpcFault, StoreWriter } from '../ports.ts'
import type { IndexBook } from './index-book.ts'

/** One pool's whole life is few logs: the ranges may be wide. */
const rangeBlocksFirst = 100_000
/** A pool that stays broken after this many readings is broken on the chain's side. */
const attemptsMax = 3
/** A chain that just failed us is not asked for whole lives again at once. */
const restSeconds = 5

type Deps = {
  readonly chain: ChainReader
  readonly store: StoreWriter
  readonly index: IndexBook
  readonly venues: Venues
  readonly keccak256: Keccak256
  readonly clock: Clock
  readonly logger: Logger
}

/** The logs of one pool alone: v3 by its address, v4 by its id as the first indexed argument. */
const filterOf = (identity: PoolIdentity): LogFilter => {
  const topics = dexes
    .filter((dex) => dex.version === identity.version)
    .flatMap((dex) => dex.topics)
  return identity.version === 'v3'
    ? { addresses: [identity.id], topics: [topics] }
    : { addresses: [identity.venue], topics: [topics, [identity.id]] }
}

export type Rebuilder = {
  readonly want: (pool: PoolNumber) => void
  /** Rebuilds what is wanted. The index must not advance meanwhile; what fails stays wanted. */
  readonly run: () => Promise<void>
}

/**
 * Makes a pool's liquidity map anew from its own logs since its creation, after it turned out to
 * disagree with the chain (methodology §4).
 */
export const createRebuilder = (deps: Deps): Rebuilder => {
  const { chain, store, index, venues, keccak256, clock, logger } = deps

  const fold = (pool: TrackedPool, logs: readonly ChainLog[]): TrackedPool => {
    const isFollowed = (id: string) => id === pool.identity.id
    return logs.reduce((lived, log) => {
      const recognised = recognise(log, { venues, keccak256, isFollowed })
      if (!recognised.ok) return lived
      const { event } = recognised
      return event.kind === 'created'
        ? newlyCreated(pool.identity, event.initial)
        : applyEvent(lived, event)
    }, pool)
  }

  /** The pool as its own logs make it, folded as they come: a busy one has millions. */
  const relive = async (
    { identity }: TrackedPool,
    to: BlockNumber,
  ): Promise<Outcome<TrackedPool, RpcFault>> => {
    const filter = filterOf(identity)
    let lived = newlyCreated(identity, null)
    let from = identity.createdBlock
    const size = createRangeSize(rangeBlocksFirst)
    while (from <= to) {
      const end = Math.min(to, from + size.blocks() - 1)
      const blocks = end - from + 1
      const logs = await chain.logs({ from, to: end }, filter)
      if (logs.ok) {
        lived = fold(lived, logs.value)
        size.answered(blocks, logs.value.length)
        from = end + 1
      } else if (logs.fault.kind === 'range-too-large' && blocks > 1) {
        size.refused(blocks, logs.fault.suggestedBlocks)
      } else return logs
    }
    return success(withReserves(lived))
  }

  const rebuild = async (pool: TrackedPool, to: BlockNumber): Promise<boolean> => {
    const { number, id } = pool.identity
    const rebuilt = await relive(pool, to)
    if (!rebuilt.ok) {
      const { kind, detail } = rebuilt.fault
      logger.warn('A pool could not be rebuilt; it is tried again', { pool: id, kind, detail })
      return false
    }
    const { state, map } = rebuilt.value
    const ticks = ticksOfLiquidityMap(map).map((tick) => ({ pool: number, ...tick }))
    await store.replaceMap(number, state, ticks)
    index.pools().put(rebuilt.value)
    logger.info('Rebuilt a pool from its own logs', { pool: id, fault: state.mapFault })
    return true
  }

  const wanted = new Set<PoolNumber>()
  const attempts = new Map<PoolNumber, number>()
  let restUntilTs = 0

  return {
    want: (number) => {
      if ((attempts.get(number) ?? 0) < attemptsMax) wanted.add(number)
    },
    run: async () => {
      const at = index.indexed()
      if (at === null || clock.now() < restUntilTs) return
      for (const number of [...wanted]) {
        const pool = index.pools().byNumber(number)
        if (pool !== undefined && !(await rebuild(pool, at.block))) {
          restUntilTs = clock.now() + restSeconds
          return
        }
        attempts.set(number, (attempts.get(number) ?? 0) + 1)
        wanted.delete(number)
      }
    },
  }
}
