import type { BlockRef } from '../../domain/chain/block-ref.ts'
import type { ChainLog } from '../../domain/chain/log.ts'
import type { Keccak256 } from '../../domain/dex/pool-id.ts'
import { decodePoolLog, type Venues } from '../../domain/ingest/decode-pool-log.ts'
import { type IngestResult, ingestLogs } from '../../domain/ingest/ingest-logs.ts'
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
import type { PoolNumber } from '../../domain/pool/pool-state.ts'
import type { Candle } from '../../domain/pool/stored-rows.ts'
import { withUpdatedReserves } from '../../domain/pool/tracked-pool.ts'
import type { ReferenceHistory } from '../../domain/price/reference-history.ts'
import { createSwapPricing } from '../../domain/price/swap-pricing.ts'
import type { Reading } from '../../domain/reading.ts'
import { flatCandlesAt } from '../../domain/series/candles.ts'
import type { Address, PoolId } from '../../domain/units.ts'
import type { BlockRange } from '../../ports/chain-reader.ts'
import type { StoreWriter } from '../../ports/store.ts'
import type { BackfillBatch, BackfillCursor, LastSwap } from '../../ports/store-batches.ts'
import { groupPools, type PoolGroup } from '../scan/pool-log-filters.ts'
import type { IndexState } from '../state/index-state.ts'

/** The pools whose swaps are filled in, as they stood at the block that is next. */
export type HistoricalPools = {
  readonly pools: ReadonlyMap<PoolNumber, HistoricalPool>
  readonly groups: readonly PoolGroup[]
  /**
   * Liquidity logs of later blocks, written but not drawn: the price that stood is that of a swap
   * still to be read. An interruption forgets them, and leaves a bucket's reserves a change behind.
   */
  readonly undrawn: readonly ChainLog[]
}

/** Goes back from the present to the history's `after` by the changes that are kept. */
export const openHistoricalPools = async (
  { completeAfter, lastPoolNumber }: BackfillCursor,
  { index, store }: { readonly index: IndexState; readonly store: StoreWriter },
): Promise<HistoricalPools> => {
  // Taken before the first wait: pools and changes up to one and the same block.
  const present = [...index.pools().all()].filter(
    ({ identity }) =>
      identity.number <= lastPoolNumber && identity.createdBlock <= completeAfter.block,
  )
  const indexed = index.cursor()?.block ?? completeAfter.block
  const kept = await store.readLiquidityAfter(completeAfter.block)
  const changes = Map.groupBy(
    kept.filter(({ block }) => block <= indexed),
    ({ pool }) => pool,
  )
  const pools = new Map<PoolNumber, HistoricalPool>()
  for (const pool of present) {
    const { number } = pool.identity
    pools.set(number, historicalPoolAt(pool, completeAfter.block, changes.get(number) ?? []))
  }
  const groups = groupPools(present.map(({ identity }) => identity))
  return { pools, groups, undrawn: [] }
}

export type PastDeps = {
  readonly index: IndexState
  readonly venues: Venues
  readonly keccak256: Keccak256
  readonly roles: TokenRoles
  readonly references: ReferenceHistory
  readonly decimalsOf: (address: Address) => Reading<number>
}

/** Folds logs of the past, whose prices the book of references has learned before. */
export const ingestKnownPrices = (
  logs: readonly ChainLog[],
  book: PoolSet,
  deps: PastDeps,
): IngestResult => {
  const { roles, venues, keccak256 } = deps
  const pricing = createSwapPricing({ ...deps, pools: book })
  return ingestLogs(logs, { pools: book, roles, venues, keccak256, pricing, observe: () => {} })
}

type Told = { readonly log: ChainLog; readonly event: PoolEvent }

/** What the logs tell of these pools, in chain order. */
const tellByPool = (
  { pools }: HistoricalPools,
  logs: readonly ChainLog[],
  { venues, keccak256 }: Pick<PastDeps, 'venues' | 'keccak256'>,
): ReadonlyMap<PoolId, readonly Told[]> => {
  const ids = new Set<PoolId>([...pools.values()].map(({ identity }) => identity.id))
  const isFollowed = (id: PoolId) => ids.has(id)
  const told = logs.flatMap((log): readonly Told[] => {
    const recognised = decodePoolLog(log, { venues, keccak256, isFollowed })
    return recognised.ok ? [{ log, event: recognised.event }] : []
  })
  return Map.groupBy(told, ({ event }) => event.poolId)
}

/** Pools as of the block before the range. */
const stepBack = (
  { pools }: HistoricalPools,
  told: ReadonlyMap<PoolId, readonly Told[]>,
  { to }: BlockRange,
): ReadonlyMap<PoolNumber, HistoricalPool> => {
  const before = new Map<PoolNumber, HistoricalPool>()
  for (const [number, pool] of pools) {
    const own = told.get(pool.identity.id)?.map(({ event }) => event)
    const within = own?.filter(({ at }) => at.block <= to)
    before.set(number, within === undefined ? pool : rewindPool(pool, within))
  }
  return before
}

/** What comes before the first swap of a pool whose earlier price is not known. */
const undrawnOf = (
  pools: ReadonlyMap<PoolNumber, HistoricalPool>,
  told: ReadonlyMap<PoolId, readonly Told[]>,
): readonly ChainLog[] => {
  const logs: ChainLog[] = []
  for (const { identity, isPriceLater } of pools.values()) {
    const own = isPriceLater ? (told.get(identity.id) ?? []) : []
    const swap = own.findIndex(({ event }) => event.kind === 'swapped')
    for (const { log } of swap < 0 ? own : own.slice(0, swap)) logs.push(log)
  }
  return logs.sort((a, b) => a.block - b.block || a.logIndex - b.logIndex)
}

/** Those that were there when the range began; a v4 pool born in it appears with its own log. */
const bookOf = (pools: ReadonlyMap<PoolNumber, HistoricalPool>, { from }: BlockRange): PoolSet => {
  const numbers = new Map([...pools].map(([number, { identity }]) => [identity.id, number]))
  const book = createPoolSet({ assigned: (id) => numbers.get(id) })
  for (const pool of pools.values()) {
    const { createdBlock, version } = pool.identity
    if (createdBlock < from || version === 'v3') book.put(trackHistoricalPool(pool))
  }
  return book
}

const lastSwapsOf = (ingested: IngestResult, index: IndexState): readonly LastSwap[] => {
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
const putLastSwaps = (lastSwaps: readonly LastSwap[], book: PoolSet): void => {
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
export const openingCandlesAt = ({ pools }: HistoricalPools, { ts }: BlockRef): readonly Candle[] =>
  [...pools.values()]
    .filter(({ isPriceLater }) => !isPriceLater)
    .flatMap((pool) => flatCandlesAt(withUpdatedReserves(trackHistoricalPool(pool)), ts + 1))

/** What a range of the past says, folded as if it had been followed at its time. */
export const ingestHistoricalRange = (
  past: HistoricalPools,
  { range, logs }: { readonly range: BlockRange; readonly logs: readonly ChainLog[] },
  deps: PastDeps,
): {
  readonly batch: Omit<BackfillBatch, 'expectedCursor' | 'after' | 'progress'>
  readonly before: HistoricalPools
  /** Pools whose maps the swaps contradict. */
  readonly gaps: readonly PoolNumber[]
} => {
  const { index } = deps
  const all = [...logs, ...past.undrawn]
  const told = tellByPool(past, all, deps)
  const begun = stepBack(past, told, range)
  const book = bookOf(begun, range)
  const ingested = ingestKnownPrices(all, book, deps)
  const lastSwaps = lastSwapsOf(ingested, index)
  putLastSwaps(lastSwaps, index.pools())
  const { swaps } = ingested
  const isNew = ({ block }: { readonly block: number }): boolean => block <= range.to
  const [blocks, liquidity] = [ingested.blocks.filter(isNew), ingested.liquidity.filter(isNew)]
  const candles = dropCandlesBeforeFirstPrice(ingested.candles, begun, swaps)
  const older = [...begun].filter(([, { identity }]) => identity.createdBlock < range.from)
  return {
    batch: { blocks, swaps, liquidity, candles, references: [], lastSwaps },
    before: { pools: new Map(older), groups: past.groups, undrawn: undrawnOf(begun, told) },
    gaps: ingested.touched
      .filter(({ identity, state }) => {
        const wasSound = begun.get(identity.number)?.tickMap !== null
        return wasSound && state.mapFault === 'index_gap'
      })
      .map(({ identity }) => identity.number),
  }
}
