import type { Anchor, ChainLog } from '../../domain/chain/chain-log.ts'
import type { Keccak256 } from '../../domain/dex/identity.ts'
import { standingCandles } from '../../domain/ingest/candles.ts'
import { type Ingested, ingestLogs } from '../../domain/ingest/ingest.ts'
import {
  type PastPool,
  pastPoolBefore,
  pastPoolOf,
  trackedPast,
  withoutLaterPrices,
} from '../../domain/ingest/past-pool.ts'
import { createPoolBook, type PoolBook } from '../../domain/ingest/pool-book.ts'
import { recognise, type Venues } from '../../domain/ingest/recognise.ts'
import { createSwapPricing } from '../../domain/ingest/swap-pricing.ts'
import { withReserves } from '../../domain/ingest/tracked-pool.ts'
import type { TokenRoles } from '../../domain/pool/kind.ts'
import type { PoolEvent } from '../../domain/pool/pool-event.ts'
import type { PoolNumber } from '../../domain/pool/pool-state.ts'
import type { Candle } from '../../domain/pool/stored-events.ts'
import type { Reading } from '../../domain/reading.ts'
import type { ReferenceBook } from '../../domain/stock/reference-book.ts'
import type { Address, PoolId } from '../../domain/units.ts'
import type { BlockRange, History, HistoryBatch, LastSwap, StoreWriter } from '../../ports.ts'
import type { IndexBook } from '../index-book.ts'
import { groupPools, type PoolGroup } from './filters.ts'

/** The pools whose swaps are filled in, as they stood at the block up to which that is to be done. */
export type Past = {
  readonly pools: ReadonlyMap<PoolNumber, PastPool>
  readonly groups: readonly PoolGroup[]
}

/** Goes back from the present to the history's `after` by the changes that are kept. */
export const openPast = async (
  { after, poolMax }: History,
  { index, store }: { readonly index: IndexBook; readonly store: StoreWriter },
): Promise<Past> => {
  // Taken before the first wait: pools and changes up to one and the same block.
  const present = [...index.pools().all()].filter(
    ({ identity }) => identity.number <= poolMax && identity.createdBlock <= after.block,
  )
  const indexed = index.indexed()?.block ?? after.block
  const kept = await store.readLiquidityAfter(after.block)
  const changes = Map.groupBy(
    kept.filter(({ block }) => block <= indexed),
    ({ pool }) => pool,
  )
  const pools = new Map<PoolNumber, PastPool>()
  for (const pool of present) {
    const { number } = pool.identity
    pools.set(number, pastPoolOf(pool, after.block, changes.get(number) ?? []))
  }
  return { pools, groups: groupPools(present.map(({ identity }) => identity)) }
}

type Deps = {
  readonly range: BlockRange
  readonly index: IndexBook
  readonly venues: Venues
  readonly keccak256: Keccak256
  readonly roles: TokenRoles
  readonly references: ReferenceBook
  readonly decimalsOf: (address: Address) => Reading<number>
}

/** Pools as of the block before the range. */
const stepBack = (
  { pools }: Past,
  logs: readonly ChainLog[],
  { venues, keccak256 }: Pick<Deps, 'venues' | 'keccak256'>,
): ReadonlyMap<PoolNumber, PastPool> => {
  const ids = new Set<PoolId>([...pools.values()].map(({ identity }) => identity.id))
  const isFollowed = (id: PoolId) => ids.has(id)
  const events = new Map<PoolId, PoolEvent[]>()
  for (const log of logs) {
    const recognised = recognise(log, { venues, keccak256, isFollowed })
    if (!recognised.ok) continue
    const { event } = recognised
    const own = events.get(event.poolId)
    if (own === undefined) events.set(event.poolId, [event])
    else own.push(event)
  }
  const before = new Map<PoolNumber, PastPool>()
  for (const [number, pool] of pools) {
    const own = events.get(pool.identity.id)
    before.set(number, own === undefined ? pool : pastPoolBefore(pool, own))
  }
  return before
}

/** Those that were there when the range began; a v4 pool born in it appears with its own log. */
const bookOf = (pools: ReadonlyMap<PoolNumber, PastPool>, { from }: BlockRange): PoolBook => {
  const numbers = new Map([...pools].map(([number, { identity }]) => [identity.id, number]))
  const book = createPoolBook({ assigned: (id) => numbers.get(id) })
  for (const pool of pools.values()) {
    const { createdBlock, version } = pool.identity
    if (createdBlock < from || version === 'v3') book.put(trackedPast(pool))
  }
  return book
}

const lastSwapsOf = (ingested: Ingested, index: IndexBook): readonly LastSwap[] => {
  const served = new Set(
    ingested.touched
      .filter(({ state }) => state.mapFault === 'hook_custom_accounting')
      .map(({ identity }) => identity.number),
  )
  const newest = new Map(ingested.swaps.map((swap) => [swap.pool, swap]))
  return [...newest.values()].flatMap(({ pool, ts, block, fee }) => {
    const isMissing = index.pools().byNumber(pool)?.state.lastSwapTs === null
    const isHookServed = served.has(pool)
    return isMissing || isHookServed ? [{ pool, ts, block, fee, isHookServed }] : []
  })
}

/** So that whatever is written of the pool from now on says so, too. */
const putLastSwaps = (lastSwaps: readonly LastSwap[], book: PoolBook): void => {
  for (const { pool: number, ts, block, fee, isHookServed } of lastSwaps) {
    const pool = book.byNumber(number)
    if (pool === undefined) continue
    const { state } = pool
    const last =
      state.lastSwapTs === null ? { lastSwapTs: ts, lastSwapBlock: block, lastSwapFee: fee } : {}
    const fault =
      isHookServed && state.mapFault === null
        ? ({ mapFault: 'hook_custom_accounting', reserves: null } as const)
        : {}
    book.put({ ...pool, state: { ...state, ...last, ...fault } })
  }
}

/** How pools stood at a block after which no swap of theirs is unknown. */
export const standingAt = ({ pools }: Past, { ts }: Anchor): readonly Candle[] =>
  [...pools.values()]
    .filter(({ isPriceLater }) => !isPriceLater)
    .flatMap((pool) => standingCandles(withReserves(trackedPast(pool)), ts + 1))

/** What a range of the past says, folded as if it had been followed at its time. */
export const ingestPast = (
  past: Past,
  logs: readonly ChainLog[],
  deps: Deps,
): {
  readonly batch: Omit<HistoryBatch, 'before' | 'after' | 'backfill'>
  readonly before: Past
  /** Pools whose maps the swaps contradict. */
  readonly gaps: readonly PoolNumber[]
} => {
  const { range, index, roles, venues, keccak256 } = deps
  const begun = stepBack(past, logs, deps)
  const book = bookOf(begun, range)
  const pricing = createSwapPricing({ ...deps, book })
  const observe = (): void => {}
  const ingested = ingestLogs(logs, { book, roles, venues, keccak256, pricing, observe })
  const lastSwaps = lastSwapsOf(ingested, index)
  putLastSwaps(lastSwaps, index.pools())
  const { blocks, swaps, liquidity } = ingested
  const candles = withoutLaterPrices(ingested.candles, begun, swaps)
  const older = [...begun].filter(([, { identity }]) => identity.createdBlock < range.from)
  return {
    batch: { blocks, swaps, liquidity, candles, references: [], lastSwaps },
    before: { pools: new Map(older), groups: past.groups },
    gaps: ingested.touched
      .filter(({ identity, state }) => {
        const wasSound = begun.get(identity.number)?.map !== null
        return wasSound && state.mapFault === 'index_gap'
      })
      .map(({ identity }) => identity.number),
  }
}
