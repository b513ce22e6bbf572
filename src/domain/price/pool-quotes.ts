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
/** Only pools with this much on the trusted side may speak for a stock. */
export const pricingSideUsdMin = 100_000
/** A dollar token is believed to be worth a dollar while pools agree within this. */
export const pegTolerance = 0.01

/** A pool between a token and a trusted one, with its prices of the last minutes. */
export type PricingPoolPath = {
  readonly pool: PoolIdentity & PoolState
  /** The token that is priced, and the trusted one that prices it. */
  readonly token: Address
  readonly anchor: Address
  readonly isToken0: boolean
  readonly decimals0: Reading<number>
  readonly decimals1: Reading<number>
  /** Whole anchor tokens per token. */
  readonly path: readonly PriceStep[]
}

export const pricingPoolPath = (
  facts: Omit<PricingPoolPath, 'token' | 'anchor' | 'isToken0'>,
  sides: Pick<PoolClassification, 'stockIsToken0'>,
): PricingPoolPath => {
  const { token0, token1 } = facts.pool.key
  const isToken0 = sides.stockIsToken0
  const [token, anchor] = isToken0 ? [token0, token1] : [token1, token0]
  return { ...facts, isToken0, token, anchor }
}

/** Whole anchor tokens per token at the pool's present state; null when it tells none. */
export const pricingPoolPrice = (facts: Omit<PricingPoolPath, 'path'>): number | null => {
  const { pool, isToken0, decimals0, decimals1 } = facts
  const price = stockPriceInOther(pool.price, isToken0, decimals0, decimals1)
  return price.known ? price.value : null
}

/** Dollars on the trusted side; null for a pool whose price nobody would have to pay to move. */
const depthUsdOf = (facts: PricingPoolPath, anchorUsd: number): number | null => {
  const { reserves, liquidity } = facts.pool
  const decimals = facts.isToken0 ? facts.decimals1 : facts.decimals0
  if (liquidity === 0n || hasCustomAccounting(facts.pool)) return null
  if (reserves === null || !decimals.known) return null
  const raw = facts.isToken0 ? reserves.amount1 : reserves.amount0
  return amountToApprox(raw, decimals.value) * anchorUsd
}

type UsdOf = (address: Address) => number | null

/** The weighted prices in dollars that one pool contributes. */
const samplesOf = (facts: PricingPoolPath, anchorUsd: number, ts: UnixSeconds) =>
  timeWeightedPrice(facts.path, { fromTs: ts - poolWindowSeconds, toTs: ts }).map((sample) => ({
    value: sample.value * anchorUsd,
    weight: sample.weight,
  }))

/**
 * What a stock's deep canonical pools say it is worth: the time-weighted median of five minutes
 * (methodology §3, selection 3). Null when no pool is deep enough.
 */
export const stockMedianUsd = (
  pools: readonly PricingPoolPath[],
  { usdOf, ts }: { readonly usdOf: UsdOf; readonly ts: UnixSeconds },
): number | null => {
  const samples = pools.flatMap((facts) => {
    const anchorUsd = usdOf(facts.anchor)
    if (anchorUsd === null) return []
    const depthUsd = depthUsdOf(facts, anchorUsd)
    const isDeep = depthUsd !== null && depthUsd >= pricingSideUsdMin
    return isDeep ? samplesOf(facts, anchorUsd, ts) : []
  })
  return weightedMedian(samples)
}

/**
 * What the deepest pool against another trusted token says a trusted token is worth: its
 * time-weighted mean of five minutes (methodology §3, ethUsd).
 */
export const trustedTwapUsd = (
  pools: readonly PricingPoolPath[],
  { usdOf, ts }: { readonly usdOf: UsdOf; readonly ts: UnixSeconds },
): number | null => {
  let deepest: { readonly facts: PricingPoolPath; readonly anchorUsd: number } | null = null
  let depthMax = 0
  for (const facts of pools) {
    const anchorUsd = usdOf(facts.anchor)
    const depthUsd = anchorUsd === null ? null : depthUsdOf(facts, anchorUsd)
    if (anchorUsd === null || depthUsd === null || depthUsd <= depthMax) continue
    deepest = { facts, anchorUsd }
    depthMax = depthUsd
  }
  if (deepest === null) return null
  const samples = samplesOf(deepest.facts, deepest.anchorUsd, ts)
  const weight = samples.reduce((sum, each) => sum + each.weight, 0)
  if (weight === 0) return null
  return samples.reduce((sum, each) => sum + each.value * each.weight, 0) / weight
}

/** A dollar token's price without a feed: 1.0 while the pools agree, else nobody knows. */
export const peggedUsdOf = (twapUsd: number | null): number | null =>
  twapUsd !== null && Math.abs(twapUsd - 1) <= pegTolerance ? 1 : null
