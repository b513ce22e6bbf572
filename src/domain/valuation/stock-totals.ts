import type { PoolView } from '../views/pool.ts'
import type { StockPoolCounts } from '../views/stock.ts'

/** Values of a pool that a stock's totals use. */
export type PoolSummary = Pick<
  PoolView,
  | 'active'
  | 'comparable'
  | 'depthUsd'
  | 'stockPriceUsd'
  | 'liquidityUsd'
  | 'premiumBps'
  | 'driftBps'
> & {
  readonly mayRepresent: boolean
  readonly pool: Pick<PoolView, 'id'> & {
    readonly classification: Pick<PoolView, 'kind'>
    readonly volume: Pick<PoolView, 'vol24hUsd' | 'vol24hFilteredUsd'>
  }
}

/** Totals over all pools that hold a stock on either side. */
export type StockTotals = {
  readonly counts: StockPoolCounts
  /** The pool whose price represents the stock (methodology §6). */
  readonly best: PoolSummary | null
  /** Sum of the known values; null only if none is known. */
  readonly liquidityUsd: number | null
  readonly vol24hUsd: number | null
  readonly vol24hFilteredUsd: number | null
  /** Of the pools whose filtered volume is known. */
  readonly washShare24h: number | null
}

/**
 * Pools by number, in columns: summing a stock's pools among a million reads a few number arrays
 * instead of scattered objects.
 */
export type PoolColumnStore = {
  /** `undefined` removes the pool. */
  readonly set: (number: number, row: PoolSummary | undefined) => void
  /** Sums the existing pools of these numbers. */
  readonly sum: (numbers: Iterable<number>) => StockTotals
}

const isThere = 1
const isActive = 2
const isCanonical = 4
const isMeme = 8
/** May represent its stock. */
const mayBeBest = 16
const isComparable = 32

const traitsOf = (row: PoolSummary): number => {
  const { kind } = row.pool.classification
  return (
    isThere |
    (row.active ? isActive : 0) |
    (kind === 'canonical' ? isCanonical : kind === 'meme' ? isMeme : 0) |
    (row.mayRepresent ? mayBeBest : 0) |
    (row.comparable ? isComparable : 0)
  )
}

const createSum = () => {
  let [sum, known, unknown] = [0, 0, 0]
  return {
    add: (usd: number): void => {
      if (Number.isNaN(usd)) unknown += 1
      else {
        sum += usd
        known += 1
      }
    },
    usd: (): number | null => (known === 0 && unknown > 0 ? null : sum),
  }
}

const capacityMin = 1024

const grown = (column: Float64Array, capacity: number): Float64Array<ArrayBuffer> => {
  const copy = new Float64Array(capacity)
  copy.set(column)
  return copy
}

export const createPoolColumns = (
  poolAt: (number: number) => PoolSummary | undefined,
): PoolColumnStore => {
  let traits = new Uint8Array(capacityMin)
  /** NaN: not known. */
  let liquidityUsd = new Float64Array(capacityMin)
  let vol24hUsd = new Float64Array(capacityMin)
  let filteredUsd = new Float64Array(capacityMin)
  let depthUsd = new Float64Array(capacityMin)

  const reach = (number: number): void => {
    if (number < traits.length) return
    const capacity = Math.max(number + 1, traits.length * 2)
    const oldTraits = traits
    traits = new Uint8Array(capacity)
    traits.set(oldTraits)
    liquidityUsd = grown(liquidityUsd, capacity)
    vol24hUsd = grown(vol24hUsd, capacity)
    filteredUsd = grown(filteredUsd, capacity)
    depthUsd = grown(depthUsd, capacity)
  }

  const comparability = (number: number): number => (traits[number] ?? 0) & isComparable

  /** Comparable wins, then more depth, of which unknown is least; of equals the first id. */
  const isBetter = (number: number, best: number): boolean => {
    const lead = comparability(number) - comparability(best)
    if (lead !== 0) return lead > 0
    const [more, least] = [depthUsd[number] ?? Number.NaN, depthUsd[best] ?? Number.NaN]
    const difference = (Number.isNaN(more) ? -1 : more) - (Number.isNaN(least) ? -1 : least)
    if (difference !== 0) return difference > 0
    return (poolAt(number)?.pool.id ?? '') < (poolAt(best)?.pool.id ?? '')
  }

  return {
    set: (number, row) => {
      reach(number)
      traits[number] = row === undefined ? 0 : traitsOf(row)
      liquidityUsd[number] = row?.liquidityUsd ?? Number.NaN
      depthUsd[number] = row?.depthUsd ?? Number.NaN
      vol24hUsd[number] = row?.pool.volume.vol24hUsd ?? Number.NaN
      filteredUsd[number] = row?.pool.volume.vol24hFilteredUsd ?? Number.NaN
    },
    sum: (numbers) => {
      const counts = { total: 0, active: 0, canonical: 0, meme: 0, stockStock: 0 }
      const [liquidity, volume, filtered] = [createSum(), createSum(), createSum()]
      let judgedUsd = 0
      let best: number | null = null
      for (const number of numbers) {
        const own = traits[number] ?? 0
        if (own === 0) continue
        counts.total += 1
        if (own & isActive) counts.active += 1
        if (own & isCanonical) counts.canonical += 1
        if (own & isMeme) counts.meme += 1
        liquidity.add(liquidityUsd[number] ?? Number.NaN)
        volume.add(vol24hUsd[number] ?? Number.NaN)
        const countedUsd = filteredUsd[number] ?? Number.NaN
        filtered.add(countedUsd)
        if (!Number.isNaN(countedUsd)) judgedUsd += vol24hUsd[number] ?? 0
        if (own & mayBeBest && (best === null || isBetter(number, best))) best = number
      }
      counts.stockStock = counts.total - counts.canonical - counts.meme
      return {
        counts,
        best: best === null ? null : (poolAt(best) ?? null),
        liquidityUsd: liquidity.usd(),
        vol24hUsd: volume.usd(),
        vol24hFilteredUsd: filtered.usd(),
        washShare24h: judgedUsd > 0 ? Math.max(0, 1 - (filtered.usd() ?? 0) / judgedUsd) : null,
      }
    },
  }
}

export const sumStockPools = (pools: readonly PoolSummary[]): StockTotals => {
  const columns = createPoolColumns((place) => pools[place])
  for (const [place, pool] of pools.entries()) columns.set(place, pool)
  return columns.sum(pools.keys())
}
