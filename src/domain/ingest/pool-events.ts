import type { BlockRef } from '../chain/block-ref.ts'
import type { ChainLog } from '../chain/log.ts'
import type { Keccak256 } from '../dex/pool-id.ts'
import type { EventPosition, PoolEvent } from '../pool/pool-event.ts'
import { isIndexedPool, type TokenRoles } from '../pool/pool-kind.ts'
import type { PoolIdentity, PoolNumber } from '../pool/pool-state.ts'
import type { StoredLiquidityChange, StoredSwap } from '../pool/stored-rows.ts'
import type { BlockNumber, PoolId } from '../units.ts'
import { decodePoolLog, type Venues } from './decode-pool-log.ts'

/** The events of a range as the store keeps them. */
export type StoredRangeEvents = {
  /** Of every block that holds one of the events. */
  readonly blocks: readonly BlockRef[]
  /** The pools that were created in the range. */
  readonly pools: readonly PoolIdentity[]
  readonly swaps: readonly StoredSwap[]
  readonly liquidity: readonly StoredLiquidityChange[]
}

/** The events of our pools that some logs are, decoded and nothing else. */
export const decodePoolEvents = (
  logs: readonly ChainLog[],
  known: {
    readonly venues: Venues
    readonly keccak256: Keccak256
    readonly roles: TokenRoles
    readonly isFollowed: (id: PoolId) => boolean
  },
): readonly PoolEvent[] => {
  const created = new Set<PoolId>()
  const isFollowed = (id: PoolId): boolean => created.has(id) || known.isFollowed(id)
  const events: PoolEvent[] = []
  for (const log of logs) {
    const recognised = decodePoolLog(log, { ...known, isFollowed })
    if (!recognised.ok) continue
    const { event } = recognised
    if (event.kind === 'created') {
      const { key, poolId } = event
      if (!isIndexedPool(key, known.roles) && !known.isFollowed(poolId)) continue
      created.add(poolId)
    }
    events.push(event)
  }
  return events
}

type Row = StoredSwap | StoredLiquidityChange

/** Rows whose block or pool the store does not name stand out by an empty name. */
const nameless = '0x'

/** What the store keeps, as the events that it was made from; initialisations are not kept. */
export const poolEventsFromRows = (
  { blocks, pools, swaps, liquidity }: StoredRangeEvents,
  poolIdOf: (pool: PoolNumber) => PoolId | undefined,
): readonly PoolEvent[] => {
  const anchors = new Map<BlockNumber, BlockRef>(blocks.map((anchor) => [anchor.block, anchor]))
  const hashOf = (block: BlockNumber) => anchors.get(block)?.hash ?? nameless
  const atOf = ({ block, ts, txHash, logIndex }: Row): EventPosition => ({
    block,
    blockHash: hashOf(block),
    ts,
    txHash,
    logIndex,
  })
  const idOf = (row: Row): PoolId => poolIdOf(row.pool) ?? nameless
  return [
    ...pools.map((pool): PoolEvent => {
      const { createdBlock: block, createdTs: ts, version, venue, key, id: poolId } = pool
      const at = { block, blockHash: hashOf(block), ts, txHash: nameless, logIndex: 0 } as const
      return { kind: 'created', poolId, at, version, venue, key, initial: null }
    }),
    ...swaps.map((swap): PoolEvent => {
      const { amount0, amount1, sqrtPriceX96, liquidity, tick, fee, sender, recipient } = swap
      const amounts = { amount0, amount1, sqrtPriceX96, liquidity, tick, fee }
      return { kind: 'swapped', poolId: idOf(swap), at: atOf(swap), ...amounts, sender, recipient }
    }),
    ...liquidity.map((row): PoolEvent => {
      const { tickLower, tickUpper, liquidityDelta } = row
      const range = { tickLower, tickUpper, liquidityDelta }
      return { kind: 'liquidity-changed', poolId: idOf(row), at: atOf(row), ...range }
    }),
  ]
}
