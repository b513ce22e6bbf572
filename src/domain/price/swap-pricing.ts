import type { ReviewedHooks } from '../dex/uniswap-v4/hook-flags.ts'
import { amountToApprox } from '../math/pool-price.ts'
import type { PoolSwapped } from '../pool/pool-event.ts'
import { classifyPool, type TokenRoles } from '../pool/pool-kind.ts'
import type { RawAmounts } from '../pool/pool-state.ts'
import type { TrackedPool } from '../pool/tracked-pool.ts'
import type { Reading } from '../reading.ts'
import type { Address, UnixSeconds } from '../units.ts'
import { computeHeldUsd } from './held-usd.ts'
import type { PoolWindows } from './pool-window.ts'
import { createPricingPools, pricingDepthUsdMin } from './pricing-pools.ts'
import type { HistoryLookup, ReferenceHistory } from './reference-history.ts'
import { computeSwapUsd, isPricedSide, type LegUsd, type SwapUsd } from './swap-usd.ts'

export type SwapPricing = {
  readonly priceSwap: (pool: TrackedPool, event: PoolSwapped, ts: UnixSeconds) => SwapUsd
  /** What a pool's reserves are worth by the prices of its swaps; null without any price. */
  readonly heldUsd: (pool: TrackedPool, reserves: RawAmounts, ts: UnixSeconds) => number | null
}

type Deps = {
  readonly windows: PoolWindows
  readonly reviewedHooks: Pick<ReviewedHooks, 'has'>
  readonly references: ReferenceHistory
  readonly roles: TokenRoles
  readonly decimalsOf: (address: Address) => Reading<number>
}

/** One side of a swap: token, raw amount and time. */
type Leg = { readonly address: Address; readonly raw: bigint; readonly ts: UnixSeconds }

const magnitude = (amount: bigint): bigint => (amount < 0n ? -amount : amount)

/**
 * Values swaps at the prices of their own time (methodology §5): by the reference of that time, or
 * else by the token's deepest pool against a trusted token, as it was at the end of the second
 * before: one transaction cannot set the price of its own swaps.
 */
export const createSwapPricing = (deps: Deps): SwapPricing => {
  const { references, roles, decimalsOf } = deps
  const trustedUsdAt = (address: Address, ts: UnixSeconds): number | null => {
    const reading = references.at(address, ts)
    return reading?.ofItsTime ? reading.usd : null
  }
  const pricingPools = createPricingPools(deps.windows, deps)

  const impliedUsd = (address: Address, ts: UnixSeconds): number | null =>
    pricingPools.deepestUsd(address, {
      toTs: ts - 1,
      depthUsdMin: pricingDepthUsdMin,
      usdOf: (trustedToken) => trustedUsdAt(trustedToken, ts),
    })

  const usdAt = (address: Address, ts: UnixSeconds): HistoryLookup | null => {
    const reading = references.at(address, ts)
    if (reading?.ofItsTime) return reading
    const usd = impliedUsd(address, ts)
    return usd === null ? reading : { usd, ofItsTime: true }
  }

  const amountOf = (address: Address, raw: bigint): number | null => {
    // Zero needs no decimals.
    if (raw === 0n) return 0
    const decimals = decimalsOf(address)
    return decimals.known ? amountToApprox(magnitude(raw), decimals.value) : null
  }

  const legUsd = ({ address, raw, ts }: Leg): LegUsd | null => {
    const amount = amountOf(address, raw)
    const reading = amount === null ? null : usdAt(address, ts)
    if (amount === null || reading === null) return null
    return { usd: amount * reading.usd, estimated: !reading.ofItsTime }
  }

  /** Of a side that swaps are not priced by: its pools are left out, for one may be this pool. */
  const referenceUsd = ({ address, raw, ts }: Leg): number | null => {
    const amount = amountOf(address, raw)
    const reading = amount === null ? null : references.at(address, ts)
    return amount === null || reading === null ? null : amount * reading.usd
  }

  const sidesOf = ({ identity: { key } }: TrackedPool, amounts: RawAmounts, ts: UnixSeconds) => {
    const sides = classifyPool(key, roles)
    const leg0: Leg = { address: key.token0, raw: amounts.amount0, ts }
    const leg1: Leg = { address: key.token1, raw: amounts.amount1, ts }
    const { kind, stockIsToken0 } = sides ?? ({ kind: 'reference', stockIsToken0: true } as const)
    return { kind, stockIsToken0, leg0, leg1 }
  }

  return {
    priceSwap: (pool, event, ts) => {
      const { kind, stockIsToken0, leg0, leg1 } = sidesOf(pool, event, ts)
      const legs = stockIsToken0 ? { stock: leg0, other: leg1 } : { stock: leg1, other: leg0 }
      return computeSwapUsd(kind, legs, legUsd)
    },
    heldUsd: (pool, reserves, ts) => {
      const { kind, stockIsToken0, leg0, leg1 } = sidesOf(pool, reserves, ts)
      const usdOf = (leg: Leg, isStock: boolean): number | null =>
        isPricedSide(kind, isStock) ? (legUsd(leg)?.usd ?? null) : referenceUsd(leg)
      const usd0 = usdOf(leg0, stockIsToken0)
      const usd1 = usdOf(leg1, !stockIsToken0)
      return computeHeldUsd(pool, reserves, { usd0, usd1 })
    },
  }
}
