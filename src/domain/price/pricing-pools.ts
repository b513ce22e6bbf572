import type { ReviewedHooks } from '../dex/uniswap-v4/hook-flags.ts'
import { amountToApprox, stockPriceInOther } from '../math/pool-price.ts'
import { createMemo } from '../memo.ts'
import { depthOf } from '../pool/pool-depth.ts'
import { currentFee, isUnreviewed } from '../pool/pool-settings.ts'
import { type RawAmounts, zeroAmounts } from '../pool/pool-state.ts'
import type { TrackedPool } from '../pool/tracked-pool.ts'
import type { Reading } from '../reading.ts'
import { secondsPerHour } from '../time.ts'
import type { Address, UnixSeconds } from '../units.ts'
import { hasCustomAccounting } from '../valuation/pool-reserves.ts'
import { everyState, type PoolStep, type PoolWindows, type PricingSide } from './pool-window.ts'

/** Depth of a pool that prices a stock, and a stronger one for tokens that price everything. */
export const pricingDepthUsdMin = 25_000
export const trustedPricingDepthUsdMin = 250_000
/** Arbitrage needs time to correct the price of a new pool. */
export const pricingAgeSecondsMin = secondsPerHour
/** Within twice the fee a price is free; in hundredths of a bip. */
export const pricingFeeMax = 10_000

/** A price in US dollars and the seconds during which it held. */
export type PriceSample = { readonly value: number; readonly seconds: number }

/** A pool that meets the rules for pricing pools (methodology §3). */
export type DeepPool = {
  /** The least depth during the window, in US dollars. */
  readonly depthUsd: number
  readonly samples: readonly PriceSample[]
}

type UsdOf = (trustedToken: Address) => number | null

export type PricingRules = {
  /** The end of the window. */
  readonly toTs: UnixSeconds
  readonly depthUsdMin: number
  /** US dollars per trusted token; null if it may not price others. */
  readonly usdOf: UsdOf
}

/** Prices of tokens by the pools that are hard to move. */
export type PricingPools = {
  /** All pools of the token that meet the rules. */
  readonly deepPools: (token: Address, rules: PricingRules) => readonly DeepPool[]
  /** US dollars per token by the last state of the deepest of them; null if there is none. */
  readonly deepestUsd: (token: Address, rules: PricingRules) => number | null
}

/** More states than all pricing pools have in one window of a busy market. */
const statesMax = 8192

/** Zero for a pool whose price is free to move or set by a hook. */
const depthOfState = createMemo(statesMax, ({ pool }: PoolStep): RawAmounts => {
  const { price, liquidity, mapFault } = pool.state
  if (price === null || liquidity === 0n || mapFault !== null) return zeroAmounts
  if (hasCustomAccounting({ key: pool.identity.key, mapFault })) return zeroAmounts
  return depthOf(pool.tickMap, price.sqrtPriceX96)
})

const trustedDepthOf = (step: PoolStep, isToken0: boolean): bigint => {
  const { amount0, amount1 } = depthOfState(step)
  return isToken0 ? amount1 : amount0
}

/** A side with what converts its states to dollars. */
type PricedSide = PricingSide & {
  readonly trustedUsd: number
  readonly decimals0: Reading<number>
  readonly decimals1: Reading<number>
  readonly trustedDecimals: number
}

export const createPricingPools = (
  windows: Pick<PoolWindows, 'sidesOf'>,
  deps: {
    readonly decimalsOf: (address: Address) => Reading<number>
    readonly reviewedHooks: Pick<ReviewedHooks, 'has'>
  },
): PricingPools => {
  const { decimalsOf, reviewedHooks } = deps

  const isEligible = ({ identity, state }: TrackedPool, toTs: UnixSeconds): boolean => {
    if (toTs - identity.createdTs < pricingAgeSecondsMin) return false
    const pool = { ...identity, ...state }
    if (isUnreviewed(pool, reviewedHooks)) return false
    const fee = currentFee(pool)
    return fee !== null && fee <= pricingFeeMax
  }

  const pricedSide = (side: PricingSide, { toTs, usdOf }: PricingRules): PricedSide | null => {
    const { pool } = side.window.present
    if (!isEligible(pool, toTs)) return null
    const { token0, token1 } = pool.identity.key
    const trustedUsd = usdOf(side.isToken0 ? token1 : token0)
    const [decimals0, decimals1] = [decimalsOf(token0), decimalsOf(token1)]
    const trustedDecimals = side.isToken0 ? decimals1 : decimals0
    if (trustedUsd === null || !trustedDecimals.known) return null
    return { ...side, trustedUsd, decimals0, decimals1, trustedDecimals: trustedDecimals.value }
  }

  const depthUsdOf = (side: PricedSide, raw: bigint): number =>
    amountToApprox(raw, side.trustedDecimals) * side.trustedUsd

  const priceUsdOf = (side: PricedSide, { pool }: PoolStep): number | null => {
    const { isToken0, decimals0, decimals1, trustedUsd } = side
    const price = stockPriceInOther(pool.state.price, isToken0, decimals0, decimals1)
    return price.known ? price.value * trustedUsd : null
  }

  const lastPriceUsd = (side: PricedSide, toTs: UnixSeconds): number | null => {
    let usd: number | null = null
    everyState(side.window, toTs, (step) => {
      usd = priceUsdOf(side, step)
      return false
    })
    return usd
  }

  /** The least depth in the window, in dollars; null if it is less than the minimum. */
  const leastDepthUsd = (
    side: PricedSide,
    { toTs, depthUsdMin }: Pick<PricingRules, 'toTs' | 'depthUsdMin'>,
  ): number | null => {
    let least = Number.POSITIVE_INFINITY
    const isDeep = everyState(side.window, toTs, (step) => {
      least = Math.min(least, depthUsdOf(side, trustedDepthOf(step, side.isToken0)))
      return least >= depthUsdMin
    })
    return isDeep ? least : null
  }

  const samplesOf = (side: PricedSide, toTs: UnixSeconds): readonly PriceSample[] | null => {
    const samples: PriceSample[] = []
    const isPriced = everyState(side.window, toTs, (step, seconds) => {
      const value = priceUsdOf(side, step)
      if (value !== null) samples.push({ value, seconds })
      return value !== null
    })
    return isPriced ? samples : null
  }

  const pricedSides = (token: Address, rules: PricingRules): readonly PricedSide[] =>
    windows.sidesOf(token).flatMap((side) => pricedSide(side, rules) ?? [])

  return {
    deepPools: (token, rules) =>
      pricedSides(token, rules).flatMap((side) => {
        const depthUsd = leastDepthUsd(side, rules)
        const samples = depthUsd === null ? null : samplesOf(side, rules.toTs)
        return depthUsd === null || samples === null ? [] : [{ depthUsd, samples }]
      }),
    deepestUsd: (token, { toTs, ...rules }) => {
      let depthUsdMin = rules.depthUsdMin
      let deepest: PricedSide | null = null
      for (const side of pricedSides(token, { toTs, ...rules })) {
        const depthUsd = leastDepthUsd(side, { toTs, depthUsdMin })
        // Of equals the first, which is the oldest.
        if (depthUsd === null || (deepest !== null && depthUsd === depthUsdMin)) continue
        depthUsdMin = depthUsd
        deepest = side
      }
      return deepest === null ? null : lastPriceUsd(deepest, toTs)
    },
  }
}
