import type { Ratio } from '../math/pool-price.ts'
import { sqrtRatioX96 } from '../math/sqrt-ratio.ts'
import { clampSqrtPrice } from '../math/tick-math.ts'
import { amount0Above, amount1Below } from '../pool/tick-map-reserves.ts'
import type { QuotedPool, SwappablePool } from '../swap/quoted-pool.ts'
import { decimalsOfOther, decimalsOfStock, isSwappable, isZeroForOne } from '../swap/quoted-pool.ts'
import { swapFeeOf } from '../swap/swap-fee.ts'
import { feeParts } from '../swap/swap-step.ts'
import type { SwapSide } from '../views/swap-quote.ts'

/** An order of a book: whole other tokens per whole stock token, and whole stock tokens. */
export type BookOrder = { readonly price: Ratio; readonly amount: Ratio }

/** From the price outwards. A trader sells to bids and buys from asks. */
export type OrderBook = { readonly bids: readonly BookOrder[]; readonly asks: readonly BookOrder[] }

/** How far one order moves the price of the stock, in hundredths of a percent. */
const stepBps = 10
const bpsOfOne = 10_000n

const tenTo = (decimals: number): bigint => 10n ** BigInt(decimals)

/** The √price (Q64.96) where the stock costs so many steps more or less. */
const sqrtPriceAfter = (quoted: SwappablePool, side: SwapSide, steps: number): bigint => {
  const bps = BigInt(stepBps * steps)
  const moved = side === 'buy' ? bpsOfOne + bps : bpsOfOne - bps
  const factorX96 = quoted.classification.stockIsToken0
    ? sqrtRatioX96(moved, bpsOfOne)
    : sqrtRatioX96(bpsOfOne, moved)
  return clampSqrtPrice((quoted.pool.price.sqrtPriceX96 * factorX96) >> 96n)
}

type Scale = { readonly stock: bigint; readonly other: bigint; readonly fee: bigint }

const parts = BigInt(feeParts)

/** What the liquidity between two √prices trades, with the fee of the trader's payment. */
const toOrder = (
  side: SwapSide,
  { stock, other }: { readonly stock: bigint; readonly other: bigint },
  scale: Scale,
): BookOrder => {
  const left = parts - scale.fee
  const [paid, kept] = side === 'sell' ? [parts, left] : [left, parts]
  return {
    price: {
      numerator: other * scale.stock * kept,
      denominator: stock * scale.other * paid,
    },
    amount:
      side === 'sell'
        ? { numerator: stock * parts, denominator: scale.stock * left }
        : { numerator: stock, denominator: scale.stock },
  }
}

const listOrders = (
  quoted: SwappablePool,
  { side, levels }: { readonly side: SwapSide; readonly levels: number },
  scale: Scale,
): readonly BookOrder[] => {
  const { tickMap, classification } = quoted
  const orders: BookOrder[] = []
  let from = quoted.pool.price.sqrtPriceX96
  for (let level = 1; level <= levels; level++) {
    const to = sqrtPriceAfter(quoted, side, level)
    const [low, high] = from < to ? [from, to] : [to, from]
    const amount0 = amount0Above(tickMap, low) - amount0Above(tickMap, high)
    const amount1 = amount1Below(tickMap, high) - amount1Below(tickMap, low)
    const held = classification.stockIsToken0
      ? { stock: amount0, other: amount1 }
      : { stock: amount1, other: amount0 }
    // What is less than a unit of a token goes to the next order.
    if (held.stock === 0n || held.other === 0n) continue
    orders.push(toOrder(side, held, scale))
    from = to
  }
  return orders
}

/** The fee of a trader's payment, in hundredths of a bip; null if it is not known. */
export const feeOfDirection = (
  pool: Pick<QuotedPool['pool'], 'protocol' | 'key' | 'fees'>,
  { stockIsToken0, side }: { readonly stockIsToken0: boolean; readonly side: SwapSide },
): number | null => swapFeeOf(pool, isZeroForOne({ classification: { stockIsToken0 } }, side))

/**
 * A pool as orders, each of which moves the price by a tenth of a percent: its price is that of the
 * trade, fee included. Empty where no swap can be simulated or the fee is not known.
 */
export const buildOrderBook = (quoted: QuotedPool, levels: number): OrderBook => {
  const [stock, other] = [decimalsOfStock(quoted), decimalsOfOther(quoted)]
  const ordersOf = (side: SwapSide): readonly BookOrder[] => {
    const { stockIsToken0 } = quoted.classification
    const fee = feeOfDirection(quoted.pool, { stockIsToken0, side })
    if (!isSwappable(quoted) || !stock.known || !other.known) return []
    if (fee === null || fee >= feeParts) return []
    const scale = { stock: tenTo(stock.value), other: tenTo(other.value), fee: BigInt(fee) }
    return listOrders(quoted, { side, levels }, scale)
  }
  return { bids: ordersOf('sell'), asks: ordersOf('buy') }
}
