import type { BlockRef } from '../../domain/chain/block-ref.ts'
import type { ChainLog } from '../../domain/chain/log.ts'
import type { Keccak256 } from '../../domain/dex/pool-id.ts'
import { decodePoolLog, type Venues } from '../../domain/ingest/decode-pool-log.ts'
import { failure, type Outcome, success } from '../../domain/outcome.ts'
import type { PoolIdentity } from '../../domain/pool/pool-state.ts'
import {
  applyPoolEvent,
  createTrackedPool,
  type TrackedPool,
  withUpdatedReserves,
} from '../../domain/pool/tracked-pool.ts'
import type { BlockNumber, UnixSeconds } from '../../domain/units.ts'
import type { ChainReader, RpcFault } from '../../ports/chain-reader.ts'
import type { StoreWriter } from '../../ports/store.ts'
import { readPoolStates } from '../read-pool-states.ts'
import { readLinkedRanges } from '../realtime/read-linked-ranges.ts'
import { poolLogFilter } from '../scan/pool-log-filters.ts'

/** One pool's whole life is few logs: the ranges may be wide. */
const rangeBlocksFirst = 100_000

/** A pool as its own logs make it. */
export type PoolReplay = {
  readonly pool: TrackedPool
  /** When it had a price for the first time. */
  readonly pricedTs: UnixSeconds | null
}

/** Reads a pool's own logs from its creation up to a block, on the branch that this block ends. */
export type ReplayPool = (
  identity: PoolIdentity,
  to: BlockRef,
) => Promise<Outcome<PoolReplay, RpcFault>>

type Place = { readonly block: BlockNumber; readonly logIndex: number }

const placeOf = ({ block, logIndex }: Place): string => `${block}:${logIndex}`

/** The node does not know the state of that block any more: it will not tell. */
const isForgotten = ({ kind }: RpcFault): boolean => kind === 'behind' || kind === 'rejected'

/**
 * What was seen of a pool up to a block, and made it what it was there: all changes of its map and
 * its newest swap. The block still stands, so all of it is there for ever.
 */
const readSeen = async (store: StoreWriter, { number }: PoolIdentity, to: BlockRef) => {
  const { lastSwap, changes } = await store.readPoolHistory(number, to.block)
  const untold = new Map<string, Place>()
  for (const row of changes) if (row.block <= to.block) untold.set(placeOf(row), row)
  if (lastSwap !== null) untold.set(placeOf(lastSwap), lastSwap)
  return {
    take: (logs: readonly Place[]): void => {
      for (const log of logs) untold.delete(placeOf(log))
    },
    firstUntold: (): Place | undefined => untold.values().next().value,
  }
}

type Seen = Awaited<ReturnType<typeof readSeen>>

/** Of a first price nothing is kept that names its block: the contract remembers it. */
const readHasPrice = async (
  chain: ChainReader,
  identity: PoolIdentity,
  to: BlockRef,
): Promise<Outcome<boolean, RpcFault>> => {
  // A v4 pool is created with its price.
  if (identity.version === 'v4') return success(true)
  const states = await readPoolStates([identity], to.block, { chain, stateViewOf: () => null })
  if (!states.ok) return isForgotten(states.fault) ? success(false) : states
  const state = states.value[0] ?? null
  return success(state !== null && state.sqrtPriceX96 !== 0n)
}

/** What the nodes must have left out that told of this life; null if nothing is known. */
const readForgotten = async (
  chain: ChainReader,
  { seen, life, to }: { readonly seen: Seen; readonly life: PoolReplay; readonly to: BlockRef },
): Promise<Outcome<string | null, RpcFault>> => {
  const { identity, state } = life.pool
  const untold = seen.firstUntold()
  if (untold !== undefined) {
    return success(`events of block ${untold.block} that we have seen there`)
  }
  if (state.price !== null) return success(null)
  const hasPrice = await readHasPrice(chain, identity, to)
  if (!hasPrice.ok) return hasPrice
  return success(hasPrice.value ? `the first price of pool ${identity.id}` : null)
}

export const createPoolReplay = (deps: {
  readonly chain: ChainReader
  readonly store: StoreWriter
  readonly venues: Venues
  readonly keccak256: Keccak256
}): ReplayPool => {
  const { chain, store, venues, keccak256 } = deps

  const after = (life: PoolReplay, log: ChainLog): PoolReplay => {
    const { identity } = life.pool
    const isFollowed = (id: string) => id === identity.id
    const recognised = decodePoolLog(log, { venues, keccak256, isFollowed })
    if (!recognised.ok) return life
    const { event } = recognised
    const pool =
      event.kind === 'created'
        ? createTrackedPool(identity, event.initial)
        : applyPoolEvent(life.pool, event)
    return { pool, pricedTs: life.pricedTs ?? (pool.state.price === null ? null : log.ts) }
  }

  return async (identity, to) => {
    const filter = poolLogFilter(identity)
    const seen = await readSeen(store, identity, to)
    let life: PoolReplay = { pool: createTrackedPool(identity, null), pricedTs: null }
    const read = await readLinkedRanges({
      span: { from: identity.createdBlock, to: to.block },
      blocksFirst: rangeBlocksFirst,
      // Nothing holds a life against the chain again: what one node leaves out another may tell.
      read: (range) => chain.readRangeCrossChecked(range, filter),
      // Folded as they come: a busy pool has millions.
      take: ({ logs }) => {
        life = logs.reduce(after, life)
        seen.take(logs)
        return true
      },
    })
    if (!read.ok) return read
    if (read.value?.hash !== to.hash) {
      return failure({ kind: 'behind', detail: `block ${to.block} is another one by now` })
    }
    const forgotten = await readForgotten(chain, { seen, life, to })
    if (!forgotten.ok) return forgotten
    if (forgotten.value !== null) {
      return failure({ kind: 'behind', detail: `a node left out ${forgotten.value}` })
    }
    return success({ ...life, pool: withUpdatedReserves(life.pool) })
  }
}
