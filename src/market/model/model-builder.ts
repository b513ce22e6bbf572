import { classifyPool } from '../../domain/pool/pool-kind.ts'
import type { PoolNumber } from '../../domain/pool/pool-state.ts'
import type { TrustedToken } from '../../domain/token/trusted-token.ts'
import type { Address, PoolId } from '../../domain/units.ts'
import type { FallbackReserve } from '../../domain/valuation/pool-reserves.ts'
import type { ScreenerFigure } from '../../domain/valuation/screener-check.ts'
import type { PoolVolume } from '../../domain/valuation/value-pool.ts'
import type { ExternalReserve, StoredPool } from '../../ports/store-batches.ts'
import { createTimeSlicer } from '../../util/time-slice.ts'
import { editTable, getByNumber, type PoolTable } from './chunked-table.ts'
import { type Coverage, findPoolGap, listAffectedPools, toCoverage } from './history-coverage.ts'
import type { ReadModel, StoreChanges } from './model.ts'
import {
  createSharedTerms,
  type ExternalData,
  isListed,
  type ListedPool,
  type Listing,
  type ModelPool,
  toModelPool,
  withListing,
} from './model-pool.ts'
import { createTokenIndex } from './token-index.ts'
import { createVolumeWindows } from './volume-windows.ts'

/** All that was read from the store so far. One caller at a time; readers get models only. */
export type ModelBuilder = {
  /** The next model. Pauses now and then when much has changed. */
  readonly apply: (changes: StoreChanges) => Promise<ReadModel>
}

/**
 * About a millisecond of work on a free core: while the past is read there is none, and slices of
 * 1,000 pools kept requests waiting for a third longer (p99 21 ms in the place of 15).
 */
const poolsPerSlice = 300

const isSameReserve = (a: FallbackReserve | null, b: FallbackReserve | null): boolean =>
  a?.source === b?.source &&
  a?.amount0 === b?.amount0 &&
  a?.amount1 === b?.amount1 &&
  a?.ts === b?.ts

const isWhole = ({ amount0, amount1 }: ExternalReserve): boolean =>
  amount0 !== null && amount1 !== null

/** A v3 pool's balances before a screener's word (methodology §4), both sides before one. */
const preferred = (rows: readonly ExternalReserve[]): FallbackReserve | null => {
  const balance = rows.find(({ source }) => source === 'balance')
  if (balance !== undefined && isWhole(balance)) return balance
  return rows.find((row) => row.source === 'screener' && isWhole(row)) ?? balance ?? null
}

const figureOf = (rows: readonly ExternalReserve[]): ScreenerFigure | null => {
  const { liquidityUsd = null, ts = 0 } = rows.find(({ source }) => source === 'screener') ?? {}
  return liquidityUsd === null ? null : { liquidityUsd, ts }
}

const nothing: ExternalData = { fallback: null, screened: null }

const isSameHearsay = (a: ExternalData, b: ExternalData): boolean =>
  isSameReserve(a.fallback, b.fallback) &&
  a.screened?.liquidityUsd === b.screened?.liquidityUsd &&
  a.screened?.ts === b.screened?.ts

/** What is told of pools from elsewhere; taking tells which pools' has changed. */
const createHearsay = () => {
  let heard = new Map<PoolNumber, ExternalData>()
  const of = (number: PoolNumber): ExternalData => heard.get(number) ?? nothing
  return {
    of,
    take: (rows: readonly ExternalReserve[]): readonly PoolNumber[] => {
      const before = heard
      const groups = Map.groupBy(rows, (row) => row.pool)
      heard = new Map(
        [...groups].map(([number, group]) => [
          number,
          { fallback: preferred(group), screened: figureOf(group) },
        ]),
      )
      const told = new Set([...before.keys(), ...heard.keys()])
      return [...told].filter((number) => !isSameHearsay(before.get(number) ?? nothing, of(number)))
    },
  }
}

type GappedPool = Pick<StoredPool, 'number' | 'createdBlock' | 'lastSwapTs'>

/** A window that is not seen whole has no sum; nor is it known yet when the pool last traded. */
const withGap = (volume: PoolVolume, pool: GappedPool, coverage: Coverage): PoolVolume => {
  const { hour, day, isBackfilling } = findPoolGap(coverage, pool)
  const isGap = day || (isBackfilling && pool.lastSwapTs === null)
  if (!hour && !isGap) return volume
  return {
    ...volume,
    vol1hUsd: hour ? null : volume.vol1hUsd,
    vol24hUsd: day ? null : volume.vol24hUsd,
    isGap,
  }
}

export const createModelBuilder = (trustedTokens: readonly TrustedToken[]): ModelBuilder => {
  const tokens = createTokenIndex(trustedTokens)
  const numbers = new Map<PoolId, PoolNumber>()
  /** Pools of no verified stock: such as tell the price of a trusted token. */
  const unlisted = new Map<PoolNumber, ModelPool>()
  const termsOf = createSharedTerms()
  const volumes = createVolumeWindows()
  const external = createHearsay()
  let coverage: Coverage = { gap: null }
  let pools: PoolTable<ListedPool> = []

  /** By what is known now of everything else. */
  const listingOf = (pool: GappedPool, token0: Address, token1: Address): Listing => ({
    token0: tokens.infoOf(token0),
    token1: tokens.infoOf(token1),
    classification: classifyPool({ token0, token1 }, tokens.roles),
    volume: withGap(volumes.of(pool.number), pool, coverage),
    external: external.of(pool.number),
  })

  const fromStore = (pool: StoredPool): ModelPool =>
    toModelPool(pool, termsOf(pool), listingOf(pool, pool.key.token0, pool.key.token1))

  const relisted = (pool: ModelPool): ModelPool =>
    withListing(pool, listingOf(pool, pool.token0.address, pool.token1.address))

  const enlist = ({ number, id, key }: StoredPool): void => {
    if (numbers.has(id)) return
    numbers.set(id, number)
    tokens.addPool(number, key)
  }

  /** Pools of which something else than what the store says of them may have changed. */
  const takeRest = async (changes: StoreChanges): Promise<Set<PoolNumber>> => {
    const touched = new Set(tokens.applyStocks(changes.stocks))
    for await (const page of changes.tokens) {
      for (const number of tokens.applyTokens(page)) touched.add(number)
    }
    for (const number of volumes.take(changes.volume)) touched.add(number)
    for (const number of external.take(changes.reserves)) touched.add(number)
    const covered = toCoverage(changes.header)
    for (const number of listAffectedPools(coverage, covered)) touched.add(number)
    coverage = covered
    return touched
  }

  return {
    apply: async (changes) => {
      const slicer = createTimeSlicer(poolsPerSlice)
      const touched = await takeRest(changes)
      const next = editTable(pools)
      const put = (pool: ModelPool): Promise<void> | undefined => {
        if (isListed(pool)) unlisted.delete(pool.number)
        else unlisted.set(pool.number, pool)
        next.set(pool.number, isListed(pool) ? pool : undefined)
        touched.delete(pool.number)
        return slicer.step()
      }
      for await (const page of changes.pools) {
        for (const pool of page) {
          enlist(pool)
          const pause = put(fromStore(pool))
          if (pause !== undefined) await pause
        }
      }
      for (const number of touched) {
        const pool = getByNumber(pools, number) ?? unlisted.get(number)
        const pause = pool && put(relisted(pool))
        if (pause !== undefined) await pause
      }
      pools = next.finish()
      return {
        header: changes.header,
        pools,
        stocks: new Map(tokens.stocks),
        quotes: Map.groupBy(changes.quotes, (quote) => quote.address),
        sources: changes.sources,
        numberOf: (id) => numbers.get(id),
        numbersWith: tokens.numbersWith,
      }
    },
  }
}
