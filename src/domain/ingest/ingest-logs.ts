import type { BlockRef } from '../chain/block-ref.ts'
import type { ChainLog } from '../chain/log.ts'
import type { Keccak256 } from '../dex/pool-id.ts'
import type { Venues } from '../dex/venue.ts'
import { earningsOf } from '../earnings/swap-earnings.ts'
import {
  type EventPosition,
  type PoolEvent,
  type PoolSwapped,
  setsRules,
} from '../pool/pool-event.ts'
import { isIndexedPool, type TokenRoles } from '../pool/pool-kind.ts'
import type { PoolSet } from '../pool/pool-set.ts'
import type { PoolIdentity, PoolNumber } from '../pool/pool-state.ts'
import { sqrtPriceBefore } from '../pool/price-before-swap.ts'
import type { Candle, StoredLiquidityChange, StoredSwap, StoredTick } from '../pool/stored-rows.ts'
import { getTick } from '../pool/tick-map.ts'
import {
  applyPoolEvent,
  createPoolIdentity,
  createTrackedPool,
  type TrackedPool,
  withUpdatedAmounts,
} from '../pool/tracked-pool.ts'
import type { PoolWindows } from '../price/pool-window.ts'
import type { SwapPricing } from '../price/swap-pricing.ts'
import { type CandleBuilder, createCandleBuilder } from '../series/candles.ts'
import { createFeeAnnouncements } from './announced-fees.ts'
import { withCreationsFirst } from './creations-first.ts'
import { decodePoolLog, type FindPool, type RejectedLog } from './decode-pool-log.ts'
import { createImplausibleSwaps, type ImplausibleSwaps } from './implausible-swaps.ts'

/** Changes that a range of logs made to the indexed pools. */
export type IngestResult = {
  readonly blocks: readonly BlockRef[]
  readonly pools: readonly PoolIdentity[]
  readonly touched: readonly TrackedPool[]
  readonly ticks: readonly StoredTick[]
  readonly swaps: readonly StoredSwap[]
  readonly liquidity: readonly StoredLiquidityChange[]
  readonly candles: readonly Candle[]
  /** Invalid logs of configured venues, counted by reason, with the first as example. */
  readonly rejected: readonly RejectedLogCount[]
}

export type RejectedLogCount = RejectedLog & { readonly count: number }

export type IngestDeps = {
  readonly pools: PoolSet
  readonly roles: TokenRoles
  readonly venues: Venues
  readonly keccak256: Keccak256
  readonly pricing: SwapPricing
  /** The windows of `pools`. */
  readonly windows: Pick<PoolWindows, 'leave'>
  /** Receives each log before it is applied, so that its price holds for the logs after it. */
  readonly observe: (log: ChainLog) => void
  /** Pools that come with the price after their first swap (methodology §8). */
  readonly laterPriced?: Iterable<PoolNumber>
}

/** State of one ingested range. */
type Run = {
  readonly deps: IngestDeps
  readonly findPool: FindPool
  readonly announce: ReturnType<typeof createFeeAnnouncements>
  readonly minutes: CandleBuilder
  readonly implausible: ImplausibleSwaps
  readonly laterPriced: Set<PoolNumber>
  readonly blocks: Map<number, BlockRef>
  readonly pools: PoolIdentity[]
  readonly touched: Set<PoolNumber>
  readonly ticks: Map<PoolNumber, Set<number>>
  readonly swaps: StoredSwap[]
  readonly liquidity: StoredLiquidityChange[]
  readonly rejected: Map<string, RejectedLogCount>
}

const createRun = (deps: IngestDeps): Run => ({
  deps,
  findPool: deps.pools.identityOf,
  announce: createFeeAnnouncements(),
  minutes: createCandleBuilder(),
  implausible: createImplausibleSwaps(deps.pricing, deps.laterPriced),
  laterPriced: new Set(deps.laterPriced),
  blocks: new Map(),
  pools: [],
  touched: new Set(),
  ticks: new Map(),
  swaps: [],
  liquidity: [],
  rejected: new Map(),
})

const toStoredSwap = (
  pool: TrackedPool,
  event: PoolSwapped & Pick<PoolEvent, 'at'>,
  {
    run: { deps, implausible },
    beforeX96,
  }: { readonly run: Run; readonly beforeX96: bigint | null },
): StoredSwap => {
  const { block, logIndex, ts, txHash, txIndex } = event.at
  const { usdMicro, estimated } = deps.pricing.priceSwap(pool, event, ts)
  const { lpFee, feeYield } = earningsOf(event, { pool, usdMicro, beforeX96 })
  return {
    pool: pool.identity.number,
    block,
    logIndex,
    ts,
    txHash,
    txIndex,
    amount0: event.amount0,
    amount1: event.amount1,
    sqrtPriceX96: event.sqrtPriceX96,
    liquidity: event.liquidity,
    tick: event.tick,
    fee: pool.state.lastSwapFee,
    sender: event.sender,
    recipient: event.recipient,
    usdMicro,
    estimated,
    implausible: implausible.isImplausible(pool, { event, ts, usdMicro }),
    lpFee,
    feeYield,
    trader: null,
  }
}

/** Only blocks with stored events get a row. */
const recordBlock = ({ blocks }: Run, { block, blockHash, ts }: EventPosition): void => {
  if (!blocks.has(block)) blocks.set(block, { block, hash: blockHash, ts })
}

const create = (run: Run, event: Extract<PoolEvent, { kind: 'created' }>): void => {
  const { pools, roles } = run.deps
  if (!isIndexedPool(event.key, roles) || pools.numberOf(event.poolId) !== undefined) return
  const identity = createPoolIdentity(event, pools.numberFor(event.poolId))
  const pool = createTrackedPool(identity, event.initial)
  pools.put(pool)
  recordBlock(run, event.at)
  run.pools.push(identity)
  run.touched.add(identity.number)
  run.minutes.open(pool, event.at.ts)
}

const recordLiquidity = (
  run: Run,
  pool: PoolNumber,
  event: Extract<PoolEvent, { kind: 'liquidity-changed' }>,
): void => {
  const { tickLower, tickUpper, liquidityDelta, owner, sender, salt, at } = event
  const ticks = run.ticks.get(pool) ?? new Set()
  run.ticks.set(pool, ticks.add(tickLower).add(tickUpper))
  const { block, logIndex, ts, txHash, txIndex } = at
  const change = { tickLower, tickUpper, liquidityDelta, owner, sender, salt }
  run.liquidity.push({ pool, block, logIndex, ts, txHash, txIndex, ...change })
}

const recordSwap = (
  run: Run,
  pools: { readonly before: TrackedPool; readonly after: TrackedPool },
  event: Extract<PoolEvent, { kind: 'swapped' }>,
): void => {
  const { before, after } = pools
  const beforeX96 = run.laterPriced.delete(after.identity.number)
    ? sqrtPriceBefore(after.tickMap, event)
    : (before.state.price?.sqrtPriceX96 ?? null)
  const swap = toStoredSwap(after, event, { run, beforeX96 })
  run.swaps.push(swap)
  run.minutes.addSwap(swap)
}

const apply = (run: Run, event: PoolEvent): void => {
  const { pools, windows } = run.deps
  const before = pools.byId(event.poolId)
  if (before === undefined) return
  const { number } = before.identity
  if (setsRules(event)) {
    // Neither price nor reserves change.
    pools.put(applyPoolEvent(before, event))
    run.touched.add(number)
    return
  }
  run.implausible.observe(before, event.at.block)
  recordBlock(run, event.at)
  // A minute that is over closes with the reserves from before this event.
  run.minutes.rollOver(before, event.at.ts)
  const after = applyPoolEvent(before, event)
  windows.leave(number, event.at.ts)
  pools.put(after)
  run.touched.add(number)
  run.minutes.open(after, event.at.ts)
  if (event.kind === 'swapped') recordSwap(run, { before, after }, event)
  if (event.kind === 'liquidity-changed') recordLiquidity(run, number, event)
}

const recordRejected = ({ rejected }: Run, { reason, example }: RejectedLog): void => {
  const before = rejected.get(reason) ?? { reason, example, count: 0 }
  rejected.set(reason, { ...before, count: before.count + 1 })
}

const ingestLog = (run: Run, log: ChainLog): void => {
  const { venues, keccak256 } = run.deps
  const decoded = decodePoolLog(log, { venues, keccak256, findPool: run.findPool })
  if (!decoded.ok) {
    if (decoded.reason !== null) recordRejected(run, decoded)
    return
  }
  const event = run.announce(decoded.event)
  if (event?.kind === 'created') create(run, event)
  else if (event !== null) apply(run, event)
}

/** Updates the amounts of the changed pools and the reserves of their last minute candles. */
const updateTouchedPools = ({ touched, minutes, deps }: Run): readonly TrackedPool[] => {
  const pools: TrackedPool[] = []
  for (const number of touched) {
    const pool = deps.pools.byNumber(number)
    if (pool === undefined) continue
    const updated = withUpdatedAmounts(pool)
    deps.pools.put(updated)
    minutes.close(updated)
    pools.push(updated)
  }
  return pools
}

const ticksOf = ({ ticks, deps }: Run): readonly StoredTick[] => {
  const rows: StoredTick[] = []
  for (const [number, own] of ticks) {
    const pool = deps.pools.byNumber(number)
    if (pool === undefined) continue
    for (const tick of own) {
      const { net, gross } = getTick(pool.tickMap, tick)
      rows.push({ pool: number, tick, net, gross })
    }
  }
  return rows
}

/**
 * Ingests a range of logs in chain order: updates the pools and returns the changes. The pools are
 * ahead of the store until the result is committed; after a failed commit they must be reloaded.
 */
export const ingestLogs = (logs: readonly ChainLog[], deps: IngestDeps): IngestResult => {
  const run = createRun(deps)
  for (const log of withCreationsFirst(logs, deps.venues)) {
    deps.observe(log)
    ingestLog(run, log)
  }
  const touched = updateTouchedPools(run)
  return {
    blocks: [...run.blocks.values()],
    pools: run.pools,
    touched,
    ticks: ticksOf(run),
    swaps: run.swaps,
    liquidity: run.liquidity,
    candles: run.minutes.candles(),
    rejected: [...run.rejected.values()],
  }
}
