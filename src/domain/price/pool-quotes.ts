import { amountToApprox, stockPriceInOther } from '../math/pool-price.ts'
import { weightedMedian } from '../math/weighted-median.ts'
import type { PoolClassification } from '../pool/pool-kind.ts'
import type { PoolIdentity, PoolState } from '../pool/pool-state.ts'
import type { Reading } from '../reading.ts'
import type { Address, UnixSeconds } from '../units.ts'
import { hasCustomAccounting } from '../valuation/pool-reserves.ts'
import { type PriceStep, timeWeightedPrice } from './price-path.ts'

/** Window of medians and averages over pools (methodology §3). */
export const poolWindowSeconds = 300
/** Minimum on the trusted side of a pool that prices a stock. */
export const pricingSideUsdMin = 100_000
/** A dollar token counts as one dollar while pools agree within this. */
export const pegTolerance = 0.01

/** A pricing pool with its prices of the last minutes. */
export type PricingPoolPath = {
  readonly pool: PoolIdentity & PoolState
  /** The token that is priced, and the trusted one that prices it. */
  readonly token: Address
  readonly trustedToken: Address
  readonly isToken0: boolean
  readonly decimals0: Reading<number>
  readonly decimals1: Reading<number>
  /** Whole trusted tokens per token. */
  readonly path: readonly PriceStep[]
}

export const pricingPoolPath = (
  pricingPool: Omit<PricingPoolPath, 'token' | 'trustedToken' | 'isToken0'>,
  classification: Pick<PoolClassification, 'stockIsToken0'>,
): PricingPoolPath => {
  const { token0, token1 } = pricingPool.pool.key
  const isToken0 = classification.stockIsToken0
  const [token, trustedToken] = isToken0 ? [token0, token1] : [token1, token0]
  return { ...pricingPool, isToken0, token, trustedToken }
}

/** Whole trusted tokens per token at the pool's present state; null if unknown. */
export const pricingPoolPrice = (pricingPool: Omit<PricingPoolPath, 'path'>): number | null => {
  const { pool, isToken0, decimals0, decimals1 } = pricingPool
  const price = stockPriceInOther(pool.price, isToken0, decimals0, decimals1)
  return price.known ? price.value : null
}

/** Dollars on the trusted side; null for a pool whose price is free to move. */
const depthUsdOf = (pricingPool: PricingPoolPath, trustedUsd: number): number | null => {
  const { reserves, liquidity } = pricingPool.pool
  const decimals = pricingPool.isToken0 ? pricingPool.decimals1 : pricingPool.decimals0
  if (liquidity === 0n || hasCustomAccounting(pricingPool.pool)) return null
  if (reserves === null || !decimals.known) return null
  const raw = pricingPool.isToken0 ? reserves.amount1 : reserves.amount0
  return amountToApprox(raw, decimals.value) * trustedUsd
}

type UsdOf = (address: Address) => number | null

/** One pool's time-weighted prices in dollars. */
const samplesOf = (pricingPool: PricingPoolPath, trustedUsd: number, ts: UnixSeconds) =>
  timeWeightedPrice(pricingPool.path, { fromTs: ts - poolWindowSeconds, toTs: ts }).map(
    (sample) => ({
      value: sample.value * trustedUsd,
      weight: sample.weight,
    }),
  )

/**
 * Time-weighted median of five minutes over a stock's deep canonical pools, in US dollars
 * (methodology §3, selection 3). Null when no pool is deep enough.
 */
export const stockMedianUsd = (
  pools: readonly PricingPoolPath[],
  { usdOf, ts }: { readonly usdOf: UsdOf; readonly ts: UnixSeconds },
): number | null => {
  const samples = pools.flatMap((pricingPool) => {
    const trustedUsd = usdOf(pricingPool.trustedToken)
    if (trustedUsd === null) return []
    const depthUsd = depthUsdOf(pricingPool, trustedUsd)
    const isDeep = depthUsd !== null && depthUsd >= pricingSideUsdMin
    return isDeep ? samplesOf(pricingPool, trustedUsd, ts) : []
  })
  return weightedMedian(samples)
}

/**
 * Time-weighted mean of five minutes of a trusted token's deepest pool against another trusted
 * token, in US dollars (methodology §3, ethUsd).
 */
export const trustedTwapUsd = (
  pools: readonly PricingPoolPath[],
  { usdOf, ts }: { readonly usdOf: UsdOf; readonly ts: UnixSeconds },
): number | null => {
  let deepest: { readonly pricingPool: PricingPoolPath; readonly trustedUsd: number } | null = null
  let depthMax = 0
  for (const pricingPool of pools) {
    const trustedUsd = usdOf(pricingPool.trustedToken)
    const depthUsd = trustedUsd === null ? null : depthUsdOf(pricingPool, trustedUsd)
    if (trustedUsd === null || depthUsd === null || depthUsd <= depthMax) continue
    deepest = { pricingPool, trustedUsd }
    depthMax = depthUsd
  }
  if (deepest === null) return null
  const samples = samplesOf(deepest.pricingPool, deepest.trustedUsd, ts)
  const weight = samples.reduce((sum, each) => sum + each.weight, 0)
  if (weight === 0) return null
  return samples.reduce((sum, each) => sum + each.value * each.weight, 0) / weight
}

/** A dollar token's price without a feed: 1.0 while the pools agree, else null. */
export const peggedUsd = (twapUsd: number | null): number | null =>
  twapUsd !== null && Math.abs(twapUsd - 1) <= pegTolerance ? 1 : null
