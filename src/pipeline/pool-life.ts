import type { Anchor, ChainLog } from '../domain/chain/chain-log.ts'
import type { Keccak256 } from '../domain/dex/identity.ts'
import { dexes } from '../domain/dex/registry.ts'
import { recognise, type Venues } from '../domain/ingest/recognise.ts'
import {
  applyEvent,
  newlyCreated,
  type TrackedPool,
  withReserves,
} from '../domain/ingest/tracked-pool.ts'
import { failure, type Outcome, success } from '../domain/outcome.ts'
import type { PoolIdentity } from '../domain/pool/pool-state.ts'
import type { UnixSeconds } from '../domain/units.ts'
import type { ChainReader, LogFilter, RpcFault } from '../ports/chain.ts'
import { readSpan } from './read-span.ts'

/** One pool's whole life is few logs: the ranges may be wide. */
const rangeBlocksFirst = 100_000

/** A pool as its own logs make it. */
export type PoolLife = {
  readonly pool: TrackedPool
  /** When it had a price for the first time. */
  readonly pricedTs: UnixSeconds | null
}

/** Reads a pool's own logs from its creation up to a block, on the branch that this block ends. */
export type Relive = (identity: PoolIdentity, to: Anchor) => Promise<Outcome<PoolLife, RpcFault>>

/** The logs of one pool alone: v3 by its address, v4 by its id as the first indexed argument. */
const filterOf = (identity: PoolIdentity): LogFilter => {
  const topics = dexes
    .filter((dex) => dex.version === identity.version)
    .flatMap((dex) => dex.topics)
  return identity.version === 'v3'
    ? { addresses: [identity.id], topics: [topics] }
    : { addresses: [identity.venue], topics: [topics, [identity.id]] }
}

export const createRelive = (deps: {
  readonly chain: ChainReader
  readonly venues: Venues
  readonly keccak256: Keccak256
}): Relive => {
  const { chain, venues, keccak256 } = deps

  const after = (life: PoolLife, log: ChainLog): PoolLife => {
    const { identity } = life.pool
    const isFollowed = (id: string) => id === identity.id
    const recognised = recognise(log, { venues, keccak256, isFollowed })
    if (!recognised.ok) return life
    const { event } = recognised
    const pool =
      event.kind === 'created'
        ? newlyCreated(identity, event.initial)
        : applyEvent(life.pool, event)
    return { pool, pricedTs: life.pricedTs ?? (pool.state.price === null ? null : log.ts) }
  }

  return async (identity, to) => {
    const filter = filterOf(identity)
    let life: PoolLife = { pool: newlyCreated(identity, null), pricedTs: null }
    const read = await readSpan({
      span: { from: identity.createdBlock, to: to.block },
      blocksFirst: rangeBlocksFirst,
      // Nothing holds a life against the chain again: what one node leaves out another may tell.
      read: (range) => chain.witnessedRange(range, filter),
      // Folded as they come: a busy pool has millions.
      take: ({ logs }) => {
        life = logs.reduce(after, life)
        return true
      },
    })
    if (!read.ok) return read
    if (read.value?.hash !== to.hash) {
      return failure({ kind: 'behind', detail: `block ${to.block} is another one by now` })
    }
    return success({ ...life, pool: withReserves(life.pool) })
  }
}
