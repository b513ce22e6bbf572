import { failure, type Outcome, success } from '../outcome.ts'
import { unknown } from '../reading.ts'
import type { SwapQuoteReason, SwapSide } from '../views/swap-quote.ts'
import { decimalsOfOther, decimalsOfStock, type QuotedPool } from './quoted-pool.ts'

/** Whole tokens as written: `digits` / 10^`decimals`, > 0. */
export type DecimalAmount = { readonly digits: bigint; readonly decimals: number }

/** The one amount that an order fixes, > 0. */
export type OrderAmount =
  | { readonly of: 'stock' | 'other'; readonly whole: DecimalAmount }
  | { readonly of: 'stock' | 'other'; readonly raw: bigint }
  /** Dollars that the input is worth. */
  | { readonly of: 'usd'; readonly usd: number }

export type SwapQuoteOrder = { readonly side: SwapSide; readonly amount: OrderAmount }

/** Why an order cannot be meant for this pool. */
export type OrderFault =
  | { readonly kind: 'too-many-decimals'; readonly decimals: number }
  | { readonly kind: 'too-large' }
  | { readonly kind: 'too-small' }

/** The contracts' largest integer. */
export const rawAmountMax = (1n << 256n) - 1n

/** Which side's amount is fixed. */
export const fixedSideOf = ({ side, amount }: SwapQuoteOrder): 'stock' | 'other' => {
  if (amount.of !== 'usd') return amount.of
  return side === 'sell' ? 'stock' : 'other'
}

type RawAmount = { readonly known: true; readonly value: bigint } | ReturnType<typeof missing>

const missing = (reason: SwapQuoteReason) => unknown(reason)

const bounded = (value: bigint): Outcome<RawAmount, OrderFault> => {
  if (value > rawAmountMax) return failure({ kind: 'too-large' })
  return value === 0n ? failure({ kind: 'too-small' }) : success({ known: true, value })
}

/**
 * The raw amount that an order fixes; unknown without the decimals, or the dollar price of the
 * input. Dollars are converted as prices are: to 15 significant digits, rounded down.
 */
export const toRawAmount = (
  quoted: QuotedPool,
  order: SwapQuoteOrder,
): Outcome<RawAmount, OrderFault> => {
  const { amount } = order
  if ('raw' in amount) return bounded(amount.raw)
  const isStock = fixedSideOf(order) === 'stock'
  const decimals = isStock ? decimalsOfStock(quoted) : decimalsOfOther(quoted)
  if (!decimals.known) return success(missing('decimals_unknown'))
  if ('whole' in amount) {
    const { whole } = amount
    if (whole.decimals > decimals.value) {
      return failure({ kind: 'too-many-decimals', decimals: decimals.value })
    }
    return bounded(whole.digits * 10n ** BigInt(decimals.value - whole.decimals))
  }
  const { stockPriceUsd, otherPriceUsd } = quoted.prices
  const price = isStock ? stockPriceUsd : otherPriceUsd
  if (price === null) return success(missing('usd_price_missing'))
  const raw = Math.floor((amount.usd / price) * 10 ** decimals.value)
  return Number.isFinite(raw) ? bounded(BigInt(raw)) : failure({ kind: 'too-large' })
}
