import type { ReferencePoint } from '../pool/stored-rows.ts'
import { computePremium } from '../price/premium.ts'
import { noReferencePrice } from '../price/reference-price.ts'
import { chainlinkEquityMaxAgeSeconds, type Policy } from '../status/freshness.ts'
import { type MarketSession, sessionAt } from '../stock/market-session.ts'
import type { UnixSeconds } from '../units.ts'
import type { StockSeriesRow, StockView } from '../views/stock.ts'
import { closingRow, fillBuckets, type StoredRows } from './fill-buckets.ts'
import type { SeriesPlan } from './series-range.ts'

export type StockSeriesInput = {
  readonly plan: SeriesPlan
  /** Reference prices of the stock, in points of the plan's width. */
  readonly references: StoredRows<ReferencePoint>
  /** Price in the best canonical pool at the end of each bucket; null without such a pool. */
  readonly poolPricesUsd: readonly (number | null)[] | null
  readonly policy: Policy
  /** Values at the cursor, which close the open bucket. */
  readonly present: Pick<StockView, 'poolPriceUsd' | 'premiumBps'> & {
    readonly referenceUsd: number | null
  }
}

/** How long a point is valid after its own bucket. */
const maxAgeSeconds = (source: ReferencePoint['source'], policy: Policy): number =>
  source === 'chainlink' ? chainlinkEquityMaxAgeSeconds : policy.quoteMaxAgeSeconds

/** Null while the exchange is closed, and without a recent external price. */
const premiumBpsOf = (
  point: ReferencePoint,
  poolPriceUsd: number | null,
  end: { readonly endTs: UnixSeconds; readonly session: MarketSession; readonly policy: Policy },
): number | null => {
  const ageSeconds = end.endTs - (point.ts + point.width)
  const isYoung = ageSeconds <= maxAgeSeconds(point.source, end.policy)
  if (end.session === 'closed' || point.source === 'pools' || !isYoung) return null
  const { usd, source, ts: publishedTs } = point
  const reference = { usd, source, publishedTs, independent: true, fresh: true }
  const stock = { ...noReferencePrice, reference }
  const { session } = end
  const pool = {
    kind: 'canonical',
    stockPriceUsd: poolPriceUsd,
    hasExternalReference: true,
  } as const
  return computePremium({ ...pool, stock, session }).premiumBps
}

/**
 * A stock's series (docs/api.md): its reference, its price in the best canonical pool and the
 * premium of the one over the other at each bucket's end (methodology §3).
 */
export const buildStockSeries = (input: StockSeriesInput): readonly StockSeriesRow[] => {
  const { plan, references, poolPricesUsd, policy, present } = input
  return fillBuckets(plan, references).map((bucket, index) => {
    const { ts, endTs, closed } = bucket
    const point = closingRow(bucket)
    if (!closed) return { ts, ...present, closed }
    // The bucket's last second decides the session.
    const end = { endTs, session: sessionAt(endTs - 1), policy }
    const poolPriceUsd = poolPricesUsd?.[index] ?? null
    const premiumBps = point === null ? null : premiumBpsOf(point, poolPriceUsd, end)
    return { ts, referenceUsd: point?.usd ?? null, poolPriceUsd, premiumBps, closed }
  })
}
