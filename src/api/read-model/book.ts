import type { TokenRoles } from '../../domain/pool/kind.ts'
import type { PoolNumber } from '../../domain/pool/pool-state.ts'
import { createSharedAddresses } from '../../domain/pool/shared-addresses.ts'
import type { Stock } from '../../domain/stock/stock.ts'
import type { Address, PoolId } from '../../domain/units.ts'
import type { PoolVolume } from '../../domain/valuation/pool-view.ts'
import type { FallbackReserve } from '../../domain/valuation/reserves.ts'
import type { ScreenerFigure } from '../../domain/valuation/screener-check.ts'
import type { StoredPool, StoredReserve, StoredToken } from '../../ports/store-rows.ts'
import { type Coverage, coverageOf, numbersAffected, poolGapOf } from './coverage.ts'
import { listingOf, type PoolEntry, type TokenBook } from './listing.ts'
import type { Model, StoreChanges, TrustedToken } from './model.ts'
import { createPace } from './pace.ts'
import { draftFrom, type PoolTable, valueAt } from './pool-table.ts'
import { createVolumeBook } from './volume-book.ts'

/** All that was read from the store so far. One caller at a time; readers get models only. */
export type Book = {
  /** The next model. Pauses now and then when much has changed. */
  readonly apply: (changes: StoreChanges) => Promise<Model>
}

/** About five milliseconds of work. */
const poolsPerSlice = 1000

const append = <K, T>(lists: Map<K, T[]>, key: K, item: T): void => {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [item])
  else list.push(item)
}

const groupBy = <T, K>(rows: readonly T[], keyOf: (row: T) => K): Map<K, T[]> => {
  const groups = new Map<K, T[]>()
  for (const row of rows) append(groups, keyOf(row), row)
  return groups
}

const isSameListed = (a: Stock | undefined, b: Stock): boolean =>
  a !== undefined && a.verdict === b.verdict && a.symbol === b.symbol && a.name === b.name

const isSameReserve = (a: FallbackReserve | null, b: FallbackReserve | null): boolean =>
  a?.source === b?.source &&
  a?.amount0 === b?.amount0 &&
  a?.amount1 === b?.amount1 &&
  a?.ts === b?.ts

const isWhole = ({ amount0, amount1 }: StoredReserve): boolean =>
  amount0 !== null && amount1 !== null

/** A v3 pool's balances before a screener's word (methodology §4), both sides before one. */
const preferred = (rows: readonly StoredReserve[]): FallbackReserve | null => {
  const balance = rows.find(({ source }) => source === 'balance')
  if (balance !== undefined && isWhole(balance)) return balance
  return rows.find((row) => row.source === 'screener' && isWhole(row)) ?? balance ?? null
}

const figureOf = (rows: readonly StoredReserve[]): ScreenerFigure | null => {
  const { liquidityUsd = null, ts = 0 } = rows.find(({ source }) => source === 'screener') ?? {}
  return liquidityUsd === null ? null : { liquidityUsd, ts }
}

type Elsewhere = Pick<PoolEntry, 'fallback' | 'screened'>

const nothing: Elsewhere = { fallback: null, screened: null }

const isSameElsewhere = (a: Elsewhere, b: Elsewhere): boolean =>
  isSameReserve(a.fallback, b.fallback) &&
  a.screened?.liquidityUsd === b.screened?.liquidityUsd &&
  a.screened?.ts === b.screened?.ts

/** What is told of pools from elsewhere; taking tells which pools' has changed. */
const createHearsay = () => {
  let heard = new Map<PoolNumber, Elsewhere>()
  const of = (number: PoolNumber): Elsewhere => heard.get(number) ?? nothing
  return {
    of,
    take: (rows: readonly StoredReserve[]): readonly PoolNumber[] => {
      const before = heard
      const groups = groupBy(rows, (row) => row.pool)
      heard = new Map(
        [...groups].map(([number, group]) => [
          number,
          { fallback: preferred(group), screened: figureOf(group) },
        ]),
      )
      const told = new Set([...before.keys(), ...heard.keys()])
      return [...told].filter(
        (number) => !isSameElsewhere(before.get(number) ?? nothing, of(number)),
      )
    },
  }
}

/** A window that is not seen whole has no sum; nor is it known yet when the pool last traded. */
const withGap = (volume: PoolVolume, pool: StoredPool, coverage: Coverage): PoolVolume => {
  const { hour, day, isGrowing } = poolGapOf(coverage, pool)
  const isGap = day || (isGrowing && pool.lastSwapTs === null)
  if (!hour && !isGap) return volume
  return {
    ...volume,
    vol1hUsd: hour ? null : volume.vol1hUsd,
    vol24hUsd: day ? null : volume.vol24hUsd,
    isGap,
  }
}

export const createBook = (trustedTokens: readonly TrustedToken[]): Book => {
  const trusted = new Map(trustedTokens.map(({ address, symbol }) => [address, symbol]))
  const tokens = new Map<Address, StoredToken>()
  const stocks = new Map<Address, Stock>()
  const roles: TokenRoles = {
    isStock: (address) => stocks.get(address)?.verdict === 'verified',
    isTrusted: (address) => trusted.has(address),
  }
  const tokenBook: TokenBook = { roles, tokens, stocks, trusted }
  const pools: StoredPool[] = []
  const numbers = new Map<PoolId, PoolNumber>()
  const withToken = new Map<Address, PoolNumber[]>()
  const { one, ofKey } = createSharedAddresses()
  const volumes = createVolumeBook()
  const hearsay = createHearsay()
  let coverage: Coverage = { gap: null }
  let entries: PoolTable<PoolEntry> = []

  /** Numbers of the pools whose listing may have changed. */
  const takeTokens = (changes: StoreChanges): Set<PoolNumber> => {
    const changed: Address[] = []
    for (const stock of changes.stocks) {
      if (!isSameListed(stocks.get(stock.address), stock)) changed.push(stock.address)
      stocks.set(stock.address, stock)
    }
    for (const stored of changes.tokens) {
      const token = { ...stored, address: one(stored.address) }
      tokens.set(token.address, token)
      changed.push(token.address)
    }
    return new Set(changed.flatMap((address) => withToken.get(address) ?? []))
  }

  const takePool = (stored: StoredPool): void => {
    const pool = { ...stored, venue: one(stored.venue), key: ofKey(stored.key) }
    const { number, id, key } = pool
    if (pools[number] === undefined) {
      numbers.set(id, number)
      for (const token of [key.token0, key.token1]) append(withToken, token, number)
    }
    pools[number] = pool
  }

  const entryOf = (number: PoolNumber, isRelisted: boolean): PoolEntry | undefined => {
    const pool = pools[number]
    const before = valueAt(entries, number)
    const isNew = before === undefined || isRelisted
    const listing = pool === undefined ? null : isNew ? listingOf(pool, tokenBook) : before.listing
    if (pool === undefined || listing === null) return undefined
    const volume = withGap(volumes.of(number), pool, coverage)
    const { fallback, screened } = hearsay.of(number)
    return { pool, listing, volume, fallback, screened }
  }

  return {
    apply: async (changes) => {
      const pace = createPace(poolsPerSlice)
      for (const pool of changes.pools) {
        takePool(pool)
        const pause = pace.step()
        if (pause !== undefined) await pause
      }
      const relisted = takeTokens(changes)
      const touched = new Set(volumes.take(changes.volume))
      for (const number of hearsay.take(changes.reserves)) touched.add(number)
      for (const { number } of changes.pools) touched.add(number)
      const covered = coverageOf(changes.header)
      for (const number of numbersAffected(coverage, covered)) touched.add(number)
      coverage = covered
      for (const number of relisted) touched.add(number)
      const next = draftFrom(entries)
      for (const number of touched) {
        next.set(number, entryOf(number, relisted.has(number)))
        const pause = pace.step()
        if (pause !== undefined) await pause
      }
      entries = next.finish()
      return {
        header: changes.header,
        entries,
        stocks: new Map(stocks),
        quotes: groupBy(changes.quotes, (quote) => quote.address),
        sources: changes.sources,
        numberOf: (id) => numbers.get(id),
        numbersWith: (address) => withToken.get(address) ?? [],
      }
    },
  }
}
