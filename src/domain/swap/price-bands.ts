import { sqrtRatioX96 } from '../math/sqrt-ratio.ts'
import { clampSqrtPrice } from '../math/tick-math.ts'
import type { RawAmounts } from '../pool/pool-state.ts'
import type { BandAmounts, PriceBand } from '../views/pool-depth.ts'
import type { SwapSide } from '../views/swap-quote.ts'
import { rawAmountMax } from './order-amount.ts'
import { isZeroForOne, type SwappablePool, simulateIn } from './quoted-pool.ts'
import { type SideAmounts, trustedUsdOf } from './side-amounts.ts'

/** How far the bands move the price of the stock, in basis points. */
const bandBps = [50, 100, 200, 500, 1000] as const

const bpsOfOne = 10_000n

/** The √price (Q64.96) when the stock costs so much more or less of the other token. */
const sqrtPriceAfterMove = (quoted: SwappablePool, side: SwapSide, bps: number): bigint => {
  const moved = bpsOfOne + BigInt(side === 'buy' ? bps : -bps)
  const factorX96 = quoted.classification.stockIsToken0
    ? sqrtRatioX96(moved, bpsOfOne)
    : sqrtRatioX96(bpsOfOne, moved)
  return clampSqrtPrice((quoted.pool.price.sqrtPriceX96 * factorX96) >> 96n)
}

const bandOf = (
  quoted: SwappablePool,
  { side, bps }: { readonly side: SwapSide; readonly bps: number },
  toSides: (raw: RawAmounts) => SideAmounts,
): BandAmounts => {
  const zeroForOne = isZeroForOne(quoted, side)
  const limitX96 = sqrtPriceAfterMove(quoted, side, bps)
  const order = { zeroForOne, exact: 'input', amount: rawAmountMax, fee: 0, limitX96 } as const
  const { amountIn, amountOut } = simulateIn(quoted, order)
  const sides = toSides(
    zeroForOne
      ? { amount0: amountIn, amount1: amountOut }
      : { amount0: amountOut, amount1: amountIn },
  )
  return { ...sides, usd: trustedUsdOf(quoted, sides) }
}

/** The amounts that move a pool's price so far, without the fee (docs/methodology.md §10). */
export const listPriceBands = (
  quoted: SwappablePool,
  toSides: (raw: RawAmounts) => SideAmounts,
): readonly PriceBand[] =>
  bandBps.map((bps) => ({
    bps,
    buy: bandOf(quoted, { side: 'buy', bps }, toSides),
    sell: bandOf(quoted, { side: 'sell', bps }, toSides),
  }))
