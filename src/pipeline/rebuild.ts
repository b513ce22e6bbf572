import type { ChainLog } from '../domain/chain/chain-log.ts'
import { sizeAfterAnswer, sizeAfterRefusal } from '../domain/chain/range-size.ts'
import type { Keccak256 } from '../domain/dex/identity.ts'
import { dexes } from '../domain/dex/registry.ts'
import { recognise, type Venues } from '../domain/ingest/recognise.ts'
import {
  applyEvent,
  newlyCreated,
  type TrackedPool,
  withReserves,
} from '../domain/ingest/tracked-pool.ts'
import { ticksOfLiquidityMap } from '../domain/pool/liquidity-map.ts'
import type { PoolNumber } from '../domain/pool/pool-state.ts'
import type { BlockNumber } from '../domain/units.ts'
import type { ChainReader, LogFilter, Logger, StoreWriter } from '../ports.ts'
import type { IndexBook } from './index-book.ts'

/** One pool's whole life is few logs: the ranges may be wide. */
const rangeBlocksFirst = 100_000
/** A pool that stays broken after this many readings is broken on the chain's side. */
const attemptsMax = 3

type Deps = {
  readonly chain: ChainReader
  readonly store: StoreWriter
  readonly index: IndexBook
  readonly venues: Venues
  readonly keccak256: Keccak256
  readonly logger: Logger
}

/** The logs of one pool alone: v3 by its address, v4 by its id as the first indexed argument. */
const filterOf = ({ identity }: TrackedPool): LogFilter => {
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
  const { chain, store, index, venues, keccak256, logger } = deps

  const readLife = async (
    pool: TrackedPool,
    to: BlockNumber,
  ): Promise<readonly ChainLog[] | null> => {
    const filter = filterOf(pool)
    const life: ChainLog[] = []
    let from = pool.identity.createdBlock
    let blocksMax = rangeBlocksFirst
    while (from <= to) {
      const end = Math.min(to, from + blocksMax - 1)
      const blocks = end - from + 1
      const logs = await chain.logs({ from, to: end }, filter)
      if (logs.ok) {
        for (const log of logs.value) life.push(log)
        blocksMax = sizeAfterAnswer(blocks, logs.value.length)
        from = end + 1
      } else if (logs.fault.kind === 'range-too-large' && blocks > 1) {
        blocksMax = sizeAfterRefusal(blocks, logs.fault.suggestedBlocks)
      } else return null
    }
    return life
  }

  const fold = (pool: TrackedPool, logs: readonly ChainLog[]): TrackedPool => {
    const isFollowed = (id: string) => id === pool.identity.id
    const created = logs
      .map((log) => recognise(log, { venues, keccak256, isFollowed }))
      .flatMap((each) => (each.ok ? [each.event] : []))
    const birth = created.find((event) => event.kind === 'created')
    const initial = birth?.kind === 'created' ? birth.initial : null
    return withReserves(
      created.reduce<TrackedPool>(applyEvent, newlyCreated(pool.identity, initial)),
    )
  }

  const rebuild = async (pool: TrackedPool, to: BlockNumber): Promise<boolean> => {
    const logs = await readLife(pool, to)
    if (logs === null) return false
    const rebuilt = fold(pool, logs)
    const { number, id } = pool.identity
    const ticks = ticksOfLiquidityMap(rebuilt.map).map((tick) => ({ pool: number, ...tick }))
    index.pools().put(rebuilt)
    await store.replaceMap(number, rebuilt.state, ticks)
    const fault = rebuilt.state.mapFault
    logger.info('Rebuilt a pool from its own logs', { pool: id, logs: logs.length, fault })
    return true
  }

  const wanted = new Set<PoolNumber>()
  const attempts = new Map<PoolNumber, number>()

  return {
    want: (number) => {
      if ((attempts.get(number) ?? 0) < attemptsMax) wanted.add(number)
    },
    run: async () => {
      const at = index.indexed()
      for (const number of at === null ? [] : [...wanted]) {
        const pool = index.pools().byNumber(number)
        if (at === null || pool === undefined || !(await rebuild(pool, at.block))) return
        attempts.set(number, (attempts.get(number) ?? 0) + 1)
        wanted.delete(number)
      }
    },
  }
}
