import type { ReviewedHooks } from '../dex/uniswap-v4/hook-flags.ts'
import { toApprox } from '../math/pool-price.ts'
import { isUnreviewed } from '../pool/pool-settings.ts'
import type { PoolId } from '../units.ts'
import type { PoolInputs } from '../valuation/pool-inputs.ts'
import { hasCustomAccounting } from '../valuation/pool-reserves.ts'
import type { ExcludedPool, PoolExclusion } from '../views/stock-order.ts'
import type { SwapAssumption, SwapSide } from '../views/swap-quote.ts'
import type { SplitPool } from './marginal-cost.ts'
import {
  decimalsOfOther,
  isSwappable,
  isZeroForOne,
  listAssumptions,
  listObstacles,
  type QuotedPool,
  type SwappablePool,
  stopSpacingOf,
} from './quoted-pool.ts'
import { swapFeeOf } from './swap-fee.ts'

/** Pools of one order; beyond, a stock with thousands of them would slow all requests. */
export const orderPoolsMax = 32
/** Pools that are named as left out. */
export const excludedPoolsMax = 50

/** The pools of a stock at one block, as its orders see them. */
export type StockPools = {
  /** Those with the most depth first. */
  readonly pools: readonly QuotedPool[]
  /** The pool whose price is the stock's (methodology §6). */
  readonly bestPoolId: PoolId | null
  readonly excluded: readonly ExcludedPool[]
}

/** A pool of a stock that takes part in an order. */
export type StockPool = SplitPool & { readonly quoted: SwappablePool }

/**
 * Why a pool takes no part in orders of its stock, as far as it is known without the tick map: its
 * swaps or its dollars are not known of now. The stock's own quote has no say.
 */
export const findExclusion = (
  { pool, decimals0, decimals1, other }: PoolInputs,
  {
    isStateFresh,
    isRebasing,
    reviewedHooks,
  }: {
    readonly isStateFresh: boolean
    readonly isRebasing: boolean
    readonly reviewedHooks: ReviewedHooks
  },
): PoolExclusion | null => {
  if (!isStateFresh) return 'state_old'
  if (hasCustomAccounting(pool)) return 'hook_custom_accounting'
  if (isUnreviewed(pool, reviewedHooks)) return 'hook_unreviewed'
  if (pool.mapFault !== null) return pool.mapFault
  if (isRebasing) return 'reserve_rebasing'
  if (!decimals0.known || !decimals1.known) return 'decimals_unknown'
  const reference = other?.reference ?? null
  if (reference === null) return 'usd_price_missing'
  return reference.fresh ? null : 'quote_old'
}

/** Bits after the point of a price in dollars, exact for every reference that can exist. */
const priceBits = 200

/** Dollars times 2^256. */
export const toUsdX256 = (usd: number): bigint =>
  BigInt(Math.floor(usd * 2 ** priceBits)) << BigInt(256 - priceBits)

export const fromUsdX256 = (usdX256: bigint): number =>
  toApprox({ numerator: usdX256, denominator: 1n << 256n })

const otherUsdX256Of = (quoted: QuotedPool): bigint => {
  const decimals = decimalsOfOther(quoted)
  const { otherPriceUsd } = quoted.prices
  if (!decimals.known || otherPriceUsd === null) return 0n
  return toUsdX256(otherPriceUsd) / 10n ** BigInt(decimals.value)
}

/** The pools that can swap in a direction, and why the others cannot. */
export const orientPools = (
  { pools, excluded }: StockPools,
  side: SwapSide,
): { readonly usable: readonly StockPool[]; readonly excluded: readonly ExcludedPool[] } => {
  const usable: StockPool[] = []
  const others = [...excluded]
  for (const quoted of pools) {
    const zeroForOne = isZeroForOne(quoted, side)
    const fee = swapFeeOf(quoted.pool, zeroForOne)
    const otherUsdX256 = otherUsdX256Of(quoted)
    const [obstacle] = listObstacles(quoted)
    if (isSwappable(quoted) && fee !== null && otherUsdX256 > 0n) {
      const { price, liquidity } = quoted.pool
      const { tickMap } = quoted
      const pool = { price, liquidity, tickMap, tickSpacing: stopSpacingOf(quoted.pool) }
      usable.push({ quoted, pool, zeroForOne, fee, otherUsdX256 })
    } else {
      const reason = obstacle ?? (fee === null ? 'fee_unknown' : 'usd_price_missing')
      others.push({ poolId: quoted.pool.id, reason })
    }
  }
  return { usable, excluded: others }
}

/** The price that amounts are compared with: the best pool's, else the deepest's. */
export const midPriceUsdOf = (
  usable: readonly StockPool[],
  bestPoolId: PoolId | null,
): number | null => {
  const best = usable.find(({ quoted }) => quoted.pool.id === bestPoolId) ?? usable[0]
  return best?.quoted.prices.stockPriceUsd ?? null
}

export const assumptionsOf = (pools: readonly StockPool[]): readonly SwapAssumption[] => [
  ...new Set(pools.flatMap(({ quoted }) => listAssumptions(quoted))),
]
