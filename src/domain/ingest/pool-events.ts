import type { BlockRef } from '../chain/block-ref.ts'
import type { ChainLog } from '../chain/log.ts'
import { getProtocol } from '../dex/find-protocol.ts'
import type { Keccak256 } from '../dex/pool-id.ts'
import type { Venues } from '../dex/venue.ts'
import { type EventPosition, type PoolEvent, setsRules } from '../pool/pool-event.ts'
import { isIndexedPool, type TokenRoles } from '../pool/pool-kind.ts'
import type { PoolIdentity, PoolNumber } from '../pool/pool-state.ts'
import type { StoredLiquidityChange, StoredSwap } from '../pool/stored-rows.ts'
import type { BlockNumber, PoolId } from '../units.ts'
import { withCreationsFirst } from './creations-first.ts'
import { decodePoolLog, type FindPool } from './decode-pool-log.ts'

/** Stored events of a range. */
export type StoredRangeEvents = {
  /** Every block with one of the events. */
  readonly blocks: readonly BlockRef[]
  /** Pools created in the range. */
  readonly pools: readonly PoolIdentity[]
  readonly swaps: readonly StoredSwap[]
  readonly liquidity: readonly StoredLiquidityChange[]
}

/** Decodes the events of indexed pools, without applying them. */
export const decodePoolEvents = (
  logs: readonly ChainLog[],
  known: {
    readonly venues: Venues
    readonly keccak256: Keccak256
    readonly roles: TokenRoles
    readonly findPool: FindPool
  },
): readonly PoolEvent[] => {
  const created = new Map<PoolId, ReturnType<FindPool>>()
  const findPool: FindPool = (id) => created.get(id) ?? known.findPool(id)
  const events: PoolEvent[] = []
  for (const log of withCreationsFirst(logs, known.venues)) {
    const decoded = decodePoolLog(log, { ...known, findPool })
    if (!decoded.ok) continue
    const { event } = decoded
    if (event.kind === 'created') {
      const { key, poolId } = event
      if (!isIndexedPool(key, known.roles) && known.findPool(poolId) === undefined) continue
      created.set(poolId, event)
    }
    events.push(event)
  }
  return events
}

type Row = StoredSwap | StoredLiquidityChange

/** Stands for a block hash or pool id that the store does not have. */
const missingHex = '0x'

/** Whether the event has a row. A first price fees and settings are in the pool's state only. */
export const hasStoredRow = (event: PoolEvent): boolean =>
  event.kind !== 'initialized' && event.kind !== 'swap-fees-announced' && !setsRules(event)

/** Converts stored rows back to events. */
export const poolEventsFromRows = (
  { blocks, pools, swaps, liquidity }: StoredRangeEvents,
  getPoolId: (pool: PoolNumber) => PoolId | undefined,
): readonly PoolEvent[] => {
  const byNumber = new Map<BlockNumber, BlockRef>(blocks.map((ref) => [ref.block, ref]))
  const blockHashOf = (block: BlockNumber) => byNumber.get(block)?.hash ?? missingHex
  const atOf = ({ block, ts, txHash, txIndex, logIndex }: Row): EventPosition => ({
    block,
    blockHash: blockHashOf(block),
    ts,
    txHash,
    txIndex,
    logIndex,
  })
  const idOf = (row: Row): PoolId => getPoolId(row.pool) ?? missingHex
  return [
    ...pools.map((pool): PoolEvent => {
      const { createdBlock: block, createdTs: ts, protocol, venue, key, id: poolId } = pool
      const at = {
        block,
        blockHash: blockHashOf(block),
        ts,
        txHash: missingHex,
        txIndex: null,
        logIndex: 0,
      } as const
      return { kind: 'created', poolId, at, protocol, venue, key, initial: null }
    }),
    ...swaps.map((swap): PoolEvent => {
      const { amount0, amount1, sqrtPriceX96, liquidity, tick, fee, sender, recipient } = swap
      const amounts = { amount0, amount1, sqrtPriceX96, liquidity, tick, fee }
      return { kind: 'swapped', poolId: idOf(swap), at: atOf(swap), ...amounts, sender, recipient }
    }),
    ...liquidity.map((row): PoolEvent => {
      const { tickLower, tickUpper, liquidityDelta, owner, sender, salt } = row
      const change = { tickLower, tickUpper, liquidityDelta, owner, sender, salt }
      return { kind: 'liquidity-changed', poolId: idOf(row), at: atOf(row), ...change }
    }),
  ]
}

/** The events as single logs say them: a swap without the fee that its pool had. */
export const asLogged = (
  events: readonly PoolEvent[],
  identityOf: (id: PoolId) => Pick<PoolIdentity, 'protocol'> | undefined,
): readonly PoolEvent[] =>
  events.map((event) => {
    if (event.kind !== 'swapped' || event.fee === null) return event
    const protocol = identityOf(event.poolId)?.protocol
    const isOfPool = protocol !== undefined && getProtocol(protocol).swapFee === 'pool'
    return isOfPool ? { ...event, fee: null } : event
  })
