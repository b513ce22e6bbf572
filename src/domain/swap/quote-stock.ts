import { amountToApprox, toApprox } from '../math/pool-price.ts'
import { failure, type Outcome, success } from '../outcome.ts'
import type { PoolId } from '../units.ts'
import type { SplitQuote, StockQuoteView } from '../views/stock-order.ts'
import type { SwapSide } from '../views/swap-quote.ts'
import { type DecimalAmount, type OrderFault, rawAmountMax } from './order-amount.ts'
import { toSwapQuote } from './quote-swap.ts'
import { decimalsOfStock } from './quoted-pool.ts'
import { type OrderSplit, type SplitOrder, splitOrder } from './split-order.ts'
import {
  assumptionsOf,
  fromUsdX256,
  midPriceUsdOf,
  orientPools,
  type StockPool,
  type StockPools,
  toUsdX256,
} from './stock-pools.ts'

/** An order in the pools of a stock: whole stock, or dollars that the input is worth. */
export type StockOrder = {
  readonly side: SwapSide
  readonly amount: { readonly whole: DecimalAmount } | { readonly usd: number }
}

type Market = {
  readonly usable: readonly StockPool[]
  readonly decimals: number
  readonly midPriceUsd: number
}

const stockOrder = (side: SwapSide, stock: bigint): Outcome<SplitOrder, OrderFault> => {
  if (stock > rawAmountMax) return failure({ kind: 'too-large' })
  if (stock === 0n) return failure({ kind: 'too-small' })
  return success(
    side === 'buy' ? { side, exact: 'output', stock } : { side, exact: 'input', stock },
  )
}

const toSplitOrder = (
  { side, amount }: StockOrder,
  { usable, decimals, midPriceUsd }: Market,
): Outcome<SplitOrder, OrderFault> => {
  if ('whole' in amount) {
    const { whole } = amount
    if (whole.decimals > decimals) return failure({ kind: 'too-many-decimals', decimals })
    return stockOrder(side, whole.digits * 10n ** BigInt(decimals - whole.decimals))
  }
  const usdX256 = toUsdX256(amount.usd)
  if (side === 'sell') {
    return stockOrder(side, (usdX256 * 10n ** BigInt(decimals)) / toUsdX256(midPriceUsd))
  }
  const isPayable = usable.some(({ otherUsdX256 }) => usdX256 >= otherUsdX256)
  return isPayable ? success({ side, exact: 'input', usdX256 }) : failure({ kind: 'too-small' })
}

const lossBps = (input: number, output: number): number | null =>
  input > 0 ? ((input - output) / input) * 10_000 : null

/** What the trader loses against the mid price, negative where other pools are cheaper. */
const lossesOf = (
  split: OrderSplit<StockPool>,
  { side }: SplitOrder,
  { stockUsd, usd, rawStockUsd }: Readonly<Record<'stockUsd' | 'usd' | 'rawStockUsd', number>>,
): Pick<SplitQuote, 'priceImpactBps' | 'costBps'> => {
  const feeUsd = split.legs.reduce((sum, { pool, swap: { feeAmount } }) => {
    const fee = side === 'buy' ? fromUsdX256(feeAmount * pool.otherUsdX256) : null
    return sum + (fee ?? Number(feeAmount) * rawStockUsd)
  }, 0)
  const [input, output] = side === 'buy' ? [usd, stockUsd] : [stockUsd, usd]
  return { priceImpactBps: lossBps(input - feeUsd, output), costBps: lossBps(input, output) }
}

/** How much more the split pays, or how much less it asks, than the best single pool. */
const savedBpsOf = (
  split: OrderSplit<StockPool>,
  single: OrderSplit<StockPool>,
  { side, exact }: SplitOrder,
): number => {
  const [own, other] =
    (side === 'buy') === (exact === 'input')
      ? [split.stock, single.stock]
      : [split.usdX256, single.usdX256]
  const saved = exact === 'input' ? own - other : other - own
  return toApprox({ numerator: (saved > 0n ? saved : 0n) * 10_000n, denominator: other })
}

const singlePoolIdOf = (single: OrderSplit<StockPool> | null): PoolId | null =>
  single?.legs[0]?.pool.quoted.pool.id ?? null

const toSplitQuote = (order: SplitOrder, market: Market): SplitQuote => {
  const { side, exact } = order
  const { split, single } = splitOrder(market.usable, order)
  const { midPriceUsd, decimals } = market
  const stockAmount = amountToApprox(split.stock, decimals)
  const usd = fromUsdX256(split.usdX256)
  const rawStockUsd = midPriceUsd / 10 ** decimals
  return {
    side,
    exact,
    stockAmount,
    stockAmountRaw: split.stock.toString(),
    usd,
    filled: split.filled,
    midPriceUsd,
    executionPriceUsd: stockAmount > 0 ? usd / stockAmount : null,
    ...lossesOf(split, order, { stockUsd: stockAmount * midPriceUsd, usd, rawStockUsd }),
    singlePoolId: singlePoolIdOf(single),
    savedBps: single === null ? null : savedBpsOf(split, single, order),
    legs: split.legs.map(({ pool, swap, share }) => ({
      share,
      ...toSwapQuote(
        pool.quoted,
        { side },
        { zeroForOne: pool.zeroForOne, exact, fee: pool.fee, result: swap },
      ),
    })),
  }
}

/**
 * The best split of an order over the pools of a stock (docs/methodology.md §10). Fails if the
 * order cannot be meant for the stock's decimals.
 */
export const quoteStock = (
  pools: StockPools,
  order: StockOrder,
): Outcome<Pick<StockQuoteView, 'quote' | 'reasons' | 'assumptions' | 'excluded'>, OrderFault> => {
  const { usable, excluded } = orientPools(pools, order.side)
  const midPriceUsd = midPriceUsdOf(usable, pools.bestPoolId)
  const [deepest] = usable
  const decimals = deepest && decimalsOfStock(deepest.quoted)
  if (midPriceUsd === null || !decimals?.known) {
    return success({ quote: null, reasons: ['no_usable_pool'], assumptions: [], excluded })
  }
  const market = { usable, decimals: decimals.value, midPriceUsd }
  const split = toSplitOrder(order, market)
  if (!split.ok) return split
  const quote = toSplitQuote(split.value, market)
  const used = new Set(quote.legs.map(({ poolId }) => poolId))
  const legs = usable.filter(({ quoted }) => used.has(quoted.pool.id))
  return success({ quote, reasons: [], assumptions: assumptionsOf(legs), excluded })
}
