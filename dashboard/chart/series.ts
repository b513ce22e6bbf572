import type { PoolDetail, StockDetail } from '../../src/client/types.ts'

/** Columns of a chart, all of the same length, oldest first. */
export type ChartData = {
  /** Unix seconds. */
  readonly ts: readonly number[]
  readonly price: readonly (number | null)[]
  readonly reference: readonly (number | null)[]
  /** Basis points of the price above the reference. */
  readonly premiumBps: readonly (number | null)[]
  readonly volumeUsd: readonly (number | null)[]
}

const bpsPerUnit = 10_000

const premiumOf = (price: number | null, reference: number | null): number | null =>
  price === null || reference === null || reference === 0
    ? null
    : (price / reference - 1) * bpsPerUnit

/** The token that a pool prices: a meme pool prices its other token. */
export type Priced = 'stock' | 'other'

export const pricedBy = (kind: PoolDetail['pool']['kind']): Priced =>
  kind === 'meme' ? 'other' : 'stock'

/** The reference at each time; after the last known one it stays constant. */
const referencesOf = (rows: StockDetail['series'], times: readonly number[]) => {
  const known = new Map(rows.map(({ ts, referenceUsd }) => [ts, referenceUsd]))
  const last = rows.at(-1)
  return times.map((ts) => {
    const isLater = last !== undefined && ts > last.ts
    return isLater ? last.referenceUsd : (known.get(ts) ?? null)
  })
}

/** The pool's buckets with the reference of the same time, if the stock's series has it. */
export const poolChartOf = (
  { pool, series }: Pick<PoolDetail, 'pool' | 'series'>,
  stock: Pick<StockDetail, 'series'> | null,
): ChartData => {
  const isStock = pricedBy(pool.kind) === 'stock'
  const times = series.map(({ ts }) => ts)
  const price = series.map((row) => (isStock ? row.stockPriceUsd : row.otherPriceUsd))
  const reference = referencesOf(isStock ? (stock?.series ?? []) : [], times)
  return {
    ts: times,
    price,
    reference,
    premiumBps: price.map((each, at) => premiumOf(each, reference[at] ?? null)),
    volumeUsd: series.map(({ volumeUsd }) => volumeUsd),
  }
}

export const stockChartOf = ({ series }: Pick<StockDetail, 'series'>): ChartData => ({
  ts: series.map(({ ts }) => ts),
  price: series.map(({ poolPriceUsd }) => poolPriceUsd),
  reference: series.map(({ referenceUsd }) => referenceUsd),
  premiumBps: series.map(({ poolPriceUsd, referenceUsd }) => premiumOf(poolPriceUsd, referenceUsd)),
  volumeUsd: [],
})

/** True if a column has any value. */
export const hasValues = (values: readonly (number | null)[]): boolean =>
  values.some((value) => value !== null)
