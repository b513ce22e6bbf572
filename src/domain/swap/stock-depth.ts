import { amountToApprox } from '../math/pool-price.ts'
import { clampSqrtPrice } from '../math/tick-math.ts'
import type { PoolId } from '../units.ts'
import type { PooledDepth, StockBand, StockDepthView } from '../views/stock-order.ts'
import type { SwapSide } from '../views/swap-quote.ts'
import { rawAmountMax } from './order-amount.ts'
import { decimalsOfStock } from './quoted-pool.ts'
import { simulateSwap } from './simulate-swap.ts'
import {
  assumptionsOf,
  fromUsdX256,
  midPriceUsdOf,
  orientPools,
  type StockPool,
  type StockPools,
} from './stock-pools.ts'

/** Distances from the mid price. */
const bandsBps = [100, 200, 500] as const
const bpsOfOne = 10_000
const q96 = 2 ** 96

/** The √price (Q64.96) at which the stock costs so many dollars per raw unit. */
const sqrtPriceAtUsd = ({ quoted, otherUsdX256 }: StockPool, rawStockUsd: number): bigint => {
  const root = Math.sqrt(rawStockUsd / fromUsdX256(otherUsdX256))
  const own = quoted.classification.stockIsToken0 ? root : 1 / root
  return clampSqrtPrice(BigInt(Math.floor(own * q96)))
}

type Move = { readonly poolId: PoolId; readonly stock: bigint; readonly usd: number }

/** What is swapped in each pool until its price is the target, fees excluded. */
const moveTo = (pools: readonly StockPool[], side: SwapSide, rawStockUsd: number) =>
  pools.map((pool): Move => {
    const { zeroForOne, otherUsdX256, quoted } = pool
    const { amountIn, amountOut } = simulateSwap(pool.pool, {
      zeroForOne,
      exact: 'input',
      amount: rawAmountMax,
      fee: 0,
      limitX96: sqrtPriceAtUsd(pool, rawStockUsd),
    })
    const [stock, other] = side === 'buy' ? [amountOut, amountIn] : [amountIn, amountOut]
    return { poolId: quoted.pool.id, stock, usd: fromUsdX256(other * otherUsdX256) }
  })

const sumOf = (moves: readonly Move[], decimals: number): StockBand['buy'] => ({
  stockAmount: amountToApprox(
    moves.reduce((sum, { stock }) => sum + stock, 0n),
    decimals,
  ),
  usd: moves.reduce((sum, { usd }) => sum + usd, 0),
})

/** The pool with the most dollars in both directions, and its part of all. */
const topOf = (moves: readonly Move[]): Pick<PooledDepth, 'topPoolId' | 'topPoolShare'> => {
  const byPool = new Map<PoolId, number>()
  for (const { poolId, usd } of moves) byPool.set(poolId, (byPool.get(poolId) ?? 0) + usd)
  const all = moves.reduce((sum, { usd }) => sum + usd, 0)
  if (all === 0) return { topPoolId: null, topPoolShare: null }
  const [top] = [...byPool].sort(([, a], [, b]) => b - a)
  return { topPoolId: top?.[0] ?? null, topPoolShare: (top?.[1] ?? 0) / all }
}

const unknownDepth = { depth: null, reasons: ['no_usable_pool'], assumptions: [] } as const

/**
 * How much is traded until every pool of a stock stands at a price around the mid price
 * (docs/methodology.md §10).
 */
export const depthOfStock = (
  pools: StockPools,
): Pick<StockDepthView, 'depth' | 'reasons' | 'assumptions' | 'excluded'> => {
  const { usable: buyable, excluded } = orientPools(pools, 'buy')
  const { usable: sellable } = orientPools(pools, 'sell')
  const midPriceUsd = midPriceUsdOf(buyable, pools.bestPoolId)
  const decimals = buyable[0] && decimalsOfStock(buyable[0].quoted)
  if (midPriceUsd === null || !decimals?.known) return { ...unknownDepth, excluded }
  const rawStockUsd = midPriceUsd / 10 ** decimals.value
  const moves = bandsBps.map((bps) => ({
    bps,
    buy: moveTo(buyable, 'buy', rawStockUsd * (1 + bps / bpsOfOne)),
    sell: moveTo(sellable, 'sell', rawStockUsd * (1 - bps / bpsOfOne)),
  }))
  const bands = moves.map(({ bps, buy, sell }) => ({
    bps,
    buy: sumOf(buy, decimals.value),
    sell: sumOf(sell, decimals.value),
  }))
  const [nearest, ofNearest] = [bands[0], moves[0]]
  const usdToMove1Pct = Math.min(nearest?.buy.usd ?? 0, nearest?.sell.usd ?? 0)
  const top = topOf([...(ofNearest?.buy ?? []), ...(ofNearest?.sell ?? [])])
  return {
    depth: { midPriceUsd, bands, usdToMove1Pct, ...top },
    reasons: [],
    assumptions: assumptionsOf(buyable),
    excluded,
  }
}
