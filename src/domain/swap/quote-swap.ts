import { amountToApprox, isAtBound, stockPriceInOther, toApprox } from '../math/pool-price.ts'
import { type Outcome, success } from '../outcome.ts'
import { knownFee } from '../pool/pool-fees.ts'
import type { Reading } from '../reading.ts'
import type { SwapAssumption, SwapQuote, SwapQuoteReason } from '../views/swap-quote.ts'
import { fixedSideOf, type OrderFault, type SwapQuoteOrder, toRawAmount } from './order-amount.ts'
import { lossBps } from './price-impact.ts'
import {
  decimalsOfOther,
  decimalsOfStock,
  isSwappable,
  isZeroForOne,
  listAssumptions,
  listObstacles,
  type QuotedPool,
  type SwappablePool,
  simulateIn,
} from './quoted-pool.ts'
import type { SwapOrder, SwapResult } from './simulate-swap.ts'
import { swapFeeOf } from './swap-fee.ts'

/** A swap quote, or the reasons why there is none; `assumptions` are those of a quote. */
export type SwapQuoteResult = {
  readonly quote: SwapQuote | null
  readonly reasons: readonly SwapQuoteReason[]
  readonly assumptions: readonly SwapAssumption[]
}

const approx = (raw: bigint, decimals: Reading<number>): number | null =>
  decimals.known ? amountToApprox(raw, decimals.value) : null

/** Whole other tokens per whole stock token of two raw amounts; null if one of them is zero. */
const paidPrice = (quoted: QuotedPool, stock: bigint, other: bigint): number | null => {
  const [ofStock, ofOther] = [decimalsOfStock(quoted), decimalsOfOther(quoted)]
  if (stock === 0n || other === 0n || !ofStock.known || !ofOther.known) return null
  return toApprox({
    numerator: other * 10n ** BigInt(ofStock.value),
    denominator: stock * 10n ** BigInt(ofOther.value),
  })
}

const pricesOf = (
  quoted: SwappablePool,
  { amountIn, amountOut, feeAmount }: SwapResult,
  zeroForOne: boolean,
) => {
  const { pool, classification, decimals0, decimals1, prices } = quoted
  const { stockIsToken0 } = classification
  const isSell = stockIsToken0 === zeroForOne
  const mid = stockPriceInOther(pool.price, stockIsToken0, decimals0, decimals1)
  const paid = isSell
    ? paidPrice(quoted, amountIn, amountOut)
    : paidPrice(quoted, amountOut, amountIn)
  const usd = paid === null || prices.otherPriceUsd === null ? null : paid * prices.otherPriceUsd
  const { sqrtPriceX96 } = pool.price
  const lossOf = (input: bigint) =>
    isAtBound(sqrtPriceX96)
      ? null
      : lossBps({ amountIn: input, amountOut }, sqrtPriceX96, zeroForOne)
  return {
    midPriceInOther: mid.known ? mid.value : null,
    executionPriceInOther: paid,
    executionPriceUsd: usd !== null && Number.isFinite(usd) ? usd : null,
    priceImpactBps: lossOf(amountIn - feeAmount),
    costBps: lossOf(amountIn),
  }
}

/** The swap quote of a simulated swap. */
export const toSwapQuote = (
  quoted: SwappablePool,
  { side }: Pick<SwapQuoteOrder, 'side'>,
  {
    zeroForOne,
    exact,
    fee,
    result,
  }: Pick<SwapOrder, 'zeroForOne' | 'exact' | 'fee'> & { readonly result: SwapResult },
): SwapQuote => {
  const { pool, decimals0, decimals1 } = quoted
  const { token0, token1 } = pool.key
  const { costBps, priceImpactBps, ...prices } = pricesOf(quoted, result, zeroForOne)
  return {
    poolId: pool.id,
    side,
    exact,
    tokenIn: zeroForOne ? token0 : token1,
    tokenOut: zeroForOne ? token1 : token0,
    amountIn: approx(result.amountIn, zeroForOne ? decimals0 : decimals1),
    amountInRaw: result.amountIn.toString(),
    amountOut: approx(result.amountOut, zeroForOne ? decimals1 : decimals0),
    amountOutRaw: result.amountOut.toString(),
    filled: result.filled,
    ...prices,
    priceImpactBps,
    feeAmountRaw: result.feeAmount.toString(),
    costBps,
    sqrtPriceX96After: result.price.sqrtPriceX96.toString(),
    tickAfter: result.price.tick,
    liquidityAfter: result.liquidity.toString(),
    ticksCrossed: result.ticksCrossed,
    fee,
    feeBlock: knownFee(pool).feeBlock,
  }
}

const noQuote = (...reasons: readonly SwapQuoteReason[]): SwapQuoteResult => ({
  quote: null,
  reasons,
  assumptions: [],
})

/**
 * What an order would pay and receive in one pool, to the wei of the contracts at the state's block
 * (docs/methodology.md §10). Fails if the order cannot be meant for the pool's tokens.
 */
export const quoteSwap = (
  quoted: QuotedPool,
  order: SwapQuoteOrder,
): Outcome<SwapQuoteResult, OrderFault> => {
  const amount = toRawAmount(quoted, order)
  if (!amount.ok) return amount
  const zeroForOne = isZeroForOne(quoted, order.side)
  const fee = swapFeeOf(quoted.pool, zeroForOne)
  if (!isSwappable(quoted) || fee === null || !amount.value.known) {
    return success(
      noQuote(
        ...listObstacles(quoted),
        ...(fee === null ? (['fee_unknown'] as const) : []),
        ...(amount.value.known ? [] : [amount.value.reason]),
      ),
    )
  }
  const paid = order.side === 'sell' ? 'stock' : 'other'
  const exact = fixedSideOf(order) === paid ? 'input' : 'output'
  const result = simulateIn(quoted, { zeroForOne, exact, amount: amount.value.value, fee })
  return success({
    quote: toSwapQuote(quoted, order, { zeroForOne, exact, fee, result }),
    reasons: [],
    assumptions: listAssumptions(quoted),
  })
}
