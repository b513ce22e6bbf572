import type { BlockRef } from '../../domain/chain/block-ref.ts'
import type { ChainLog } from '../../domain/chain/log.ts'
import { getProtocol } from '../../domain/dex/find-protocol.ts'
import type { Keccak256 } from '../../domain/dex/pool-id.ts'
import type { ReviewedHooks } from '../../domain/dex/uniswap-v4/hook-flags.ts'
import type { Venues } from '../../domain/dex/venue.ts'
import { decodePoolLog } from '../../domain/ingest/decode-pool-log.ts'
import { type IngestDeps, type IngestResult, ingestLogs } from '../../domain/ingest/ingest-logs.ts'
import {
  dropCandlesBeforeFirstPrice,
  type HistoricalPool,
  historicalPoolAt,
  rewindPool,
  trackHistoricalPool,
} from '../../domain/pool/historical-pool.ts'
import type { PoolEvent } from '../../domain/pool/pool-event.ts'
import type { TokenRoles } from '../../domain/pool/pool-kind.ts'
import { createPoolSet, type PoolSet } from '../../domain/pool/pool-set.ts'
import type { PoolIdentity, PoolNumber } from '../../domain/pool/pool-state.ts'
import type { Candle } from '../../domain/pool/stored-rows.ts'
import { withUpdatedAmounts } from '../../domain/pool/tracked-pool.ts'
import { createPoolWindows } from '../../domain/price/pool-window.ts'
import type { ReferenceHistory } from '../../domain/price/reference-history.ts'
import { createSwapPricing } from '../../domain/price/swap-pricing.ts'
import type { Reading } from '../../domain/reading.ts'
import { flatCandlesAt } from '../../domain/series/candles.ts'
import type { Address, PoolId } from '../../domain/units.ts'
import type { BlockRange } from '../../ports/chain-reader.ts'
import type { StoreWriter } from '../../ports/store.ts'
import type { BackfillBatch, BackfillCursor, LastSwap } from '../../ports/store-batches.ts'
import { groupPools, type PoolGroup } from '../pool-log-filters.ts'
import type { IndexState } from '../state/index-state.ts'

/** The pools of the backfill, in their states at its cursor. */
export type HistoricalPools = {
  readonly pools: ReadonlyMap<PoolNumber, HistoricalPool>
  readonly groups: readonly PoolGroup[]
  /**
   * Liquidity logs of later blocks that are stored but not in candles yet: their price is that of
   * an earlier swap, which is still to be read. A restart loses them, and the reserves of their
   * bucket miss one change.
   */
  readonly pendingLogs: readonly ChainLog[]
}

/** Rewinds the current pools to `completeAfter` by the stored liquidity changes. */
export const openHistoricalPools = async (
  { completeAfter, lastPoolNumber }: BackfillCursor,
  { index, store }: { readonly index: IndexState; readonly store: StoreWriter },
): Promise<HistoricalPools> => {
  // Read before the first await, so that pools and changes end at the same block.
  const current = [...index.pools().all()].filter(
    ({ identity }) =>
      identity.number <= lastPoolNumber && identity.createdBlock <= completeAfter.block,
  )
  const cursorBlock = index.cursor()?.block ?? completeAfter.block
  const stored = await store.readLiquidityAfter(completeAfter.block)
  const changes = Map.groupBy(
    stored.filter(({ block }) => block <= cursorBlock),
    ({ pool }) => pool,
  )
  const pools = new Map<PoolNumber, HistoricalPool>()
  for (const pool of current) {
    const { number } = pool.identity
    pools.set(number, historicalPoolAt(pool, completeAfter.block, changes.get(number) ?? []))
  }
  const groups = groupPools(current.map(({ identity }) => identity))
  return { pools, groups, pendingLogs: [] }
}

export type HistoricalIngestDeps = {
  readonly index: IndexState
  readonly venues: Venues
  readonly keccak256: Keccak256
  readonly roles: TokenRoles
  readonly references: ReferenceHistory
  readonly reviewedHooks: ReviewedHooks
  readonly decimalsOf: (address: Address) => Reading<number>
}

/** Ingests logs whose prices the reference history has already. */
export const ingestWithKnownPrices = (
  logs: readonly ChainLog[],
  poolSet: PoolSet,
  deps: HistoricalIngestDeps & Pick<IngestDeps, 'laterPriced'>,
): IngestResult => {
  const { roles, venues, keccak256 } = deps
  const windows = createPoolWindows(poolSet, roles)
  const pricing = createSwapPricing({ ...deps, windows })
  const parts = { pools: poolSet, windows, pricing, roles, venues, keccak256 }
  return ingestLogs(logs, { ...parts, laterPriced: deps.laterPriced ?? [], observe: () => {} })
}

type DecodedLog = { readonly log: ChainLog; readonly event: PoolEvent }
type EventsByPool = ReadonlyMap<PoolId, readonly DecodedLog[]>

/** The events of these pools, in chain order. */
const decodeByPool = (
  { pools }: HistoricalPools,
  logs: readonly ChainLog[],
  { venues, keccak256 }: HistoricalIngestDeps,
): EventsByPool => {
  const identities = new Map<PoolId, PoolIdentity>(
    [...pools.values()].map(({ identity }) => [identity.id, identity]),
  )
  const findPool = (id: PoolId) => identities.get(id)
  const decoded = logs.flatMap((log): readonly DecodedLog[] => {
    const read = decodePoolLog(log, { venues, keccak256, findPool })
    return read.ok ? [{ log, event: read.event }] : []
  })
  return Map.groupBy(decoded, ({ event }) => event.poolId)
}

/** The pools at the block before the range. */
const rewindPools = (
  { pools }: HistoricalPools,
  events: EventsByPool,
  { to }: BlockRange,
): ReadonlyMap<PoolNumber, HistoricalPool> => {
  const rewound = new Map<PoolNumber, HistoricalPool>()
  for (const [number, pool] of pools) {
    const own = events.get(pool.identity.id)?.map(({ event }) => event)
    const inRange = own?.filter(({ at }) => at.block <= to)
    rewound.set(number, inRange === undefined ? pool : rewindPool(pool, inRange))
  }
  return rewound
}

/** The logs before the first swap of each pool whose earlier price is unknown. */
const findPendingLogs = (
  pools: ReadonlyMap<PoolNumber, HistoricalPool>,
  events: EventsByPool,
): readonly ChainLog[] => {
  const logs: ChainLog[] = []
  for (const { identity, isPriceLater } of pools.values()) {
    const own = isPriceLater ? (events.get(identity.id) ?? []) : []
    const swap = own.findIndex(({ event }) => event.kind === 'swapped')
    for (const { log } of swap < 0 ? own : own.slice(0, swap)) logs.push(log)
  }
  return logs.sort((a, b) => a.block - b.block || a.logIndex - b.logIndex)
}

/** The pools that existed before the range; a singleton's log adds a pool created in it. */
const createPoolSetBefore = (
  pools: ReadonlyMap<PoolNumber, HistoricalPool>,
  { from }: BlockRange,
): PoolSet => {
  const numbers = new Map([...pools].map(([number, { identity }]) => [identity.id, number]))
  const poolSet = createPoolSet({ assigned: (id) => numbers.get(id) })
  for (const pool of pools.values()) {
    const { createdBlock, protocol } = pool.identity
    if (createdBlock < from || getProtocol(protocol).emitter === 'pool')
      poolSet.put(trackHistoricalPool(pool))
  }
  return poolSet
}

/** The newest swap of each pool whose current state has none, or whose swaps a hook serves. */
const findLastSwaps = (ingested: IngestResult, index: IndexState): readonly LastSwap[] => {
  const hookServed = new Set(
    ingested.touched
      .filter(({ state }) => state.mapFault === 'hook_custom_accounting')
      .map(({ identity }) => identity.number),
  )
  const newest = new Map(ingested.swaps.map((swap) => [swap.pool, swap]))
  return [...newest.values()].flatMap(({ pool, ts, block, fee }) => {
    const isMissing = index.pools().byNumber(pool)?.state.lastSwapTs === null
    const isHookServed = hookServed.has(pool)
    return isMissing || isHookServed ? [{ pool, ts, block, fee, isHookServed }] : []
  })
}

/** Applies last swaps to the current pools, so that later writes of these pools keep them. */
const applyLastSwaps = (lastSwaps: readonly LastSwap[], poolSet: PoolSet): void => {
  for (const { pool: number, ts, block, fee, isHookServed } of lastSwaps) {
    const pool = poolSet.byNumber(number)
    if (pool === undefined) continue
    const { state } = pool
    const last =
      state.lastSwapTs === null ? { lastSwapTs: ts, lastSwapBlock: block, lastSwapFee: fee } : {}
    const fault =
      isHookServed && state.mapFault === null
        ? ({ mapFault: 'hook_custom_accounting', reserves: null, depth: null } as const)
        : {}
    poolSet.put({ ...pool, state: { ...state, ...last, ...fault } })
  }
}

/** Opening candles at a block after which all swaps of the pools are known. */
export const openingCandlesAt = ({ pools }: HistoricalPools, { ts }: BlockRef): readonly Candle[] =>
  [...pools.values()]
    .filter(({ isPriceLater }) => !isPriceLater)
    .flatMap((pool) => flatCandlesAt(withUpdatedAmounts(trackHistoricalPool(pool)), ts + 1))

/** Ingests a historical range as realtime sync would have done at its time. */
export const ingestHistoricalRange = (
  historical: HistoricalPools,
  { range, logs }: { readonly range: BlockRange; readonly logs: readonly ChainLog[] },
  deps: HistoricalIngestDeps,
): {
  readonly batch: Omit<BackfillBatch, 'expectedCursor' | 'after' | 'progress'>
  /** The pools at the block before the range. */
  readonly before: HistoricalPools
  /** Pools whose swaps contradict their tick maps. */
  readonly gaps: readonly PoolNumber[]
} => {
  const { index } = deps
  const allLogs = [...logs, ...historical.pendingLogs]
  const events = decodeByPool(historical, allLogs, deps)
  const rewound = rewindPools(historical, events, range)
  const laterPriced = [...rewound].flatMap(([number, { isPriceLater }]) =>
    isPriceLater ? [number] : [],
  )
  const poolSet = createPoolSetBefore(rewound, range)
  const ingested = ingestWithKnownPrices(allLogs, poolSet, { ...deps, laterPriced })
  const lastSwaps = findLastSwaps(ingested, index)
  applyLastSwaps(lastSwaps, index.pools())
  const { swaps } = ingested
  const isInRange = ({ block }: { readonly block: number }): boolean => block <= range.to
  const blocks = ingested.blocks.filter(isInRange)
  const liquidity = ingested.liquidity.filter(isInRange)
  const candles = dropCandlesBeforeFirstPrice(ingested.candles, rewound, swaps)
  const older = [...rewound].filter(([, { identity }]) => identity.createdBlock < range.from)
  const pendingLogs = findPendingLogs(rewound, events)
  const hadMap = (number: PoolNumber): boolean => rewound.get(number)?.tickMap !== null
  return {
    batch: { blocks, swaps, liquidity, candles, references: [], lastSwaps },
    before: { pools: new Map(older), groups: historical.groups, pendingLogs },
    gaps: ingested.touched
      .filter(({ identity, state }) => hadMap(identity.number) && state.mapFault === 'index_gap')
      .map(({ identity }) => identity.number),
  }
}
