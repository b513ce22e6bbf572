import type { PoolKind } from '../view/pool-view.ts'

/** A leg of a swap: whole tokens, positive, and what one of them was worth at that time. */
export type Leg = {
  readonly amount: number | null
  readonly price: { readonly usd: number; readonly ofItsTime: boolean } | null
}

export type SwapUsd = {
  /** Millionths of a dollar, an integer; null when no leg could be priced. */
  readonly usdMicro: number | null
  readonly estimated: boolean
}

const unpriced: SwapUsd = { usdMicro: null, estimated: false }
const microPerUsd = 1_000_000

const legUsd = ({ amount, price }: Leg): number | null =>
  amount === null || price === null ? null : amount * price.usd

const frozen = (usd: number | null, estimated: boolean): SwapUsd => {
  if (usd === null) return unpriced
  const usdMicro = Math.round(usd * microPerUsd)
  return Number.isSafeInteger(usdMicro) ? { usdMicro, estimated } : unpriced
}

const isEstimated = (leg: Leg): boolean => !leg.price?.ofItsTime

/** Both legs where both are known; one that is missing is stood in for by the other. */
const meanOf = (one: Leg, two: Leg): SwapUsd => {
  const [oneUsd, twoUsd] = [legUsd(one), legUsd(two)]
  if (oneUsd === null) return frozen(twoUsd, true)
  if (twoUsd === null) return frozen(oneUsd, true)
  return frozen((oneUsd + twoUsd) / 2, isEstimated(one) || isEstimated(two))
}

/**
 * A swap's dollar volume by its trusted leg (methodology §5): the other side of a canonical pool,
 * the stock of a meme pool, the mean of both in a stock-stock pool and between two trusted tokens.
 */
export const swapUsdOf = (kind: PoolKind | 'reference', stock: Leg, other: Leg): SwapUsd => {
  if (stock.amount === 0 && other.amount === 0) return { usdMicro: 0, estimated: false }
  if (kind === 'canonical') return frozen(legUsd(other), isEstimated(other))
  if (kind === 'meme') return frozen(legUsd(stock), isEstimated(stock))
  return meanOf(stock, other)
}
