import { amountToApprox } from '../math/pool-price.ts'
import type { RawAmounts } from '../pool/pool-state.ts'
import type { QuotedPool } from './quoted-pool.ts'

/** Whole tokens. */
export type SideAmounts = { readonly stockAmount: number; readonly otherAmount: number }

/** Converts raw amounts of a pool; null while decimals are unknown. */
export const createSideAmounts = ({
  classification: { stockIsToken0 },
  decimals0,
  decimals1,
}: QuotedPool): ((raw: RawAmounts) => SideAmounts) | null => {
  if (!decimals0.known || !decimals1.known) return null
  return (raw) => {
    const amount0 = amountToApprox(raw.amount0, decimals0.value)
    const amount1 = amountToApprox(raw.amount1, decimals1.value)
    return stockIsToken0
      ? { stockAmount: amount0, otherAmount: amount1 }
      : { stockAmount: amount1, otherAmount: amount0 }
  }
}

const worth = (amount: number, price: number | null): number | null => {
  if (amount === 0) return 0
  return price !== null && Number.isFinite(amount * price) ? amount * price : null
}

/** Dollars of the trusted side (methodology §4): the stock in a meme pool, else the other token. */
export const trustedUsdOf = (
  { classification: { kind }, prices }: QuotedPool,
  { stockAmount, otherAmount }: SideAmounts,
): number | null =>
  kind === 'meme'
    ? worth(stockAmount, prices.stockPriceUsd)
    : worth(otherAmount, prices.otherPriceUsd)

/** Dollars of both sides. */
export const usdOfBoth = (
  { prices }: QuotedPool,
  { stockAmount, otherAmount }: SideAmounts,
): number | null => {
  const stockUsd = worth(stockAmount, prices.stockPriceUsd)
  const otherUsd = worth(otherAmount, prices.otherPriceUsd)
  return stockUsd === null || otherUsd === null ? null : stockUsd + otherUsd
}
