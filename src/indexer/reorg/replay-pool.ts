import type { BlockRef } from '../../domain/chain/block-ref.ts'
import type { ChainLog } from '../../domain/chain/log.ts'
import { getProtocol } from '../../domain/dex/find-protocol.ts'
import type { Keccak256 } from '../../domain/dex/pool-id.ts'
import type { Venues } from '../../domain/dex/venue.ts'
import { createFeeAnnouncements } from '../../domain/ingest/announced-fees.ts'
import { decodePoolLog } from '../../domain/ingest/decode-pool-log.ts'
import { failure, type Outcome, success } from '../../domain/outcome.ts'
import type { PoolIdentity } from '../../domain/pool/pool-state.ts'
import {
  applyPoolEvent,
  createTrackedPool,
  type TrackedPool,
  withUpdatedAmounts,
} from '../../domain/pool/tracked-pool.ts'
import type { BlockNumber, UnixSeconds } from '../../domain/units.ts'
import type { BlockRange, ChainReader, RpcFault } from '../../ports/chain-reader.ts'
import type { StoreWriter } from '../../ports/store.ts'
import { poolLogFilter } from '../pool-log-filters.ts'
import { readPoolStates } from '../read-pool-states.ts'
import { readLinkedRanges } from './read-linked-ranges.ts'

/** One pool has few logs, so the first range is wide. */
const rangeBlocksFirst = 100_000

/** A pool computed from its own logs alone. */
export type PoolReplay = {
  readonly pool: TrackedPool
  /** Time of its first price. */
  readonly firstPricedTs: UnixSeconds | null
}

/** An earlier replay, complete up to this block. */
export type ReplayStart = { readonly replay: PoolReplay; readonly at: BlockRef }

/**
 * Replays a pool from its creation, or continues an earlier replay, up to a block and on the branch
 * of that block.
 */
export type ReplayPool = (
  identity: PoolIdentity,
  to: BlockRef,
  start?: ReplayStart,
) => Promise<Outcome<PoolReplay, RpcFault>>

type LogPosition = { readonly block: BlockNumber; readonly logIndex: number }

const positionKey = ({ block, logIndex }: LogPosition): string => `${block}:${logIndex}`

/**
 * The stored logs that a complete replay of canonical blocks must contain: every liquidity change
 * and the last swap.
 */
const readExpectedLogs = async (
  store: StoreWriter,
  { number }: PoolIdentity,
  { from, to }: BlockRange,
) => {
  const { lastSwap, changes } = await store.readPoolHistory(number, to)
  const missing = new Map<string, LogPosition>()
  for (const row of lastSwap === null ? changes : [...changes, lastSwap]) {
    if (row.block >= from && row.block <= to) missing.set(positionKey(row), row)
  }
  return {
    markSeen: (logs: readonly LogPosition[]): void => {
      for (const log of logs) missing.delete(positionKey(log))
    },
    firstMissing: (): LogPosition | undefined => missing.values().next().value,
  }
}

/** Whether the contract has a price. No stored row shows the block of a pool's first price. */
const readHasPrice = async (
  chain: ChainReader,
  identity: PoolIdentity,
  to: BlockRef,
): Promise<Outcome<boolean, RpcFault>> => {
  if (getProtocol(identity.protocol).hasPriceAtCreation) return success(true)
  const readStatesAt = (at: BlockNumber | 'latest') =>
    readPoolStates([identity], at, { chain, stateViewOf: () => null })
  const states = await readStatesAt(to.block)
  if (!states.ok) {
    const { kind } = states.fault
    // The endpoint no longer has the state of that block.
    if (kind === 'behind') return success(false)
    // Only an endpoint that has a newer state may reject that one as too old.
    const newest = kind === 'rejected' ? await readStatesAt('latest') : states
    return newest.ok ? success(false) : newest
  }
  const state = states.value[0] ?? null
  return success(state !== null && state.sqrtPriceX96 !== 0n)
}

export const createPoolReplayer = (deps: {
  readonly chain: ChainReader
  readonly store: StoreWriter
  readonly venues: Venues
  readonly keccak256: Keccak256
}): ReplayPool => {
  const { chain, store, venues, keccak256 } = deps

  const applyLog = (
    replay: PoolReplay,
    log: ChainLog,
    announce: ReturnType<typeof createFeeAnnouncements>,
  ): PoolReplay => {
    const { identity } = replay.pool
    const findPool = (id: string) => (id === identity.id ? identity : undefined)
    const decoded = decodePoolLog(log, { venues, keccak256, findPool })
    if (!decoded.ok) return replay
    const event = announce(decoded.event)
    if (event === null) return replay
    const pool =
      event.kind === 'created'
        ? createTrackedPool(identity, event.initial)
        : applyPoolEvent(replay.pool, event)
    const pricedTs = pool.state.price === null ? null : log.ts
    return { pool, firstPricedTs: replay.firstPricedTs ?? pricedTs }
  }

  return async (identity, to, start) => {
    const filter = poolLogFilter(identity)
    const from = start === undefined ? identity.createdBlock : start.at.block + 1
    const range = { from, to: to.block }
    const expected = await readExpectedLogs(store, identity, range)
    const created = { pool: createTrackedPool(identity, null), firstPricedTs: null }
    const announce = createFeeAnnouncements()
    let replay: PoolReplay = start?.replay ?? created
    const read = await readLinkedRanges({
      range,
      ...(start === undefined ? {} : { parentHash: start.at.hash }),
      blocksFirst: rangeBlocksFirst,
      // No later check compares a replay with the chain, so it is cross-checked here.
      read: (range) => chain.readRangeCrossChecked(range, filter),
      // Applied range by range: a busy pool has millions of logs.
      onRange: ({ logs }) => {
        for (const log of logs) replay = applyLog(replay, log, announce)
        expected.markSeen(logs)
        return true
      },
    })
    if (!read.ok) return read
    const behind = (detail: string) => failure<RpcFault>({ kind: 'behind', detail })
    const last = read.value ?? start?.at
    if (last?.hash !== to.hash) return behind(`block ${to.block} was replaced`)
    const missing = expected.firstMissing()
    if (missing !== undefined) {
      return behind(`endpoint omitted events of block ${missing.block} that were indexed before`)
    }
    if (replay.pool.state.price === null) {
      const hasPrice = await readHasPrice(chain, identity, to)
      if (!hasPrice.ok) return hasPrice
      if (hasPrice.value) return behind(`endpoint omitted the first price of pool ${identity.id}`)
    }
    return success({ ...replay, pool: withUpdatedAmounts(replay.pool) })
  }
}
