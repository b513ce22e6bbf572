import { weightedMedian } from '../math/weighted-median.ts'
import type { Address, UnixSeconds } from '../units.ts'
import {
  type DeepPool,
  type PricingPools,
  pricingDepthUsdMin,
  trustedPricingDepthUsdMin,
} from './pricing-pools.ts'

/** A price by pools, and how many of them it comes from. */
export type PoolPrice = { readonly usd: number; readonly pools: number }

type At = {
  readonly usdOf: (address: Address) => number | null
  readonly ts: UnixSeconds
}

/**
 * Median of the last minutes over a stock's deep canonical pools, weighted by seconds and depth, in
 * US dollars (methodology §3, selection 3). Null if no pool is deep enough throughout.
 */
export const stockMedianUsd = (
  pricingPools: PricingPools,
  stock: Address,
  { usdOf, ts }: At,
): PoolPrice | null => {
  const rules = { toTs: ts, depthUsdMin: pricingDepthUsdMin, usdOf }
  const deep = pricingPools.deepPools(stock, rules)
  const usd = weightedMedian(
    deep.flatMap(({ depthUsd, samples }) =>
      samples.map(({ value, seconds }) => ({ value, weight: seconds * depthUsd })),
    ),
  )
  return usd === null ? null : { usd, pools: deep.length }
}

const meanOf = ({ samples }: DeepPool): number | null => {
  const total = samples.reduce((sum, { seconds }) => sum + seconds, 0)
  if (total === 0) return null
  return samples.reduce((sum, { value, seconds }) => sum + value * seconds, 0) / total
}

/**
 * Time-weighted mean of the last minutes of a trusted token's deepest pool against another trusted
 * token, in US dollars (methodology §3). Null if no pool is deep enough throughout.
 */
export const trustedMeanUsd = (
  pricingPools: PricingPools,
  token: Address,
  { usdOf, ts }: At,
): PoolPrice | null => {
  const rules = { toTs: ts, depthUsdMin: trustedPricingDepthUsdMin, usdOf }
  const deep = pricingPools.deepPools(token, rules)
  const deepest = deep.reduce<DeepPool | null>(
    (best, each) => (best === null || each.depthUsd > best.depthUsd ? each : best),
    null,
  )
  const usd = deepest === null ? null : meanOf(deepest)
  return usd === null ? null : { usd, pools: 1 }
}
