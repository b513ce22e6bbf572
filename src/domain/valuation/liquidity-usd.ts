import type { PoolKind } from '../view/pool-view.ts'

export type SideValues = {
  readonly stockReserve: number | null
  readonly otherReserve: number | null
  readonly stockRefUsd: number | null
  readonly otherPriceUsd: number | null
}

const product = (a: number | null, b: number | null): number | null => {
  if (a === 0) return 0
  return a === null || b === null ? null : a * b
}

/**
 * Dollars in the pool (methodology §4): both sides by independent references; in a meme pool the
 * meme's side counts at most as much as the stock's, so a one-sided launch is worth nothing.
 * Null when a needed input is null; an empty side is 0 at any price.
 */
export const liquidityUsdOf = (kind: PoolKind, sides: SideValues): number | null => {
  const stockUsd = product(sides.stockReserve, sides.stockRefUsd)
  if (kind === 'meme' && stockUsd === 0) return 0
  const otherUsd = product(sides.otherReserve, sides.otherPriceUsd)
  if (stockUsd === null || otherUsd === null) return null
  const sum = stockUsd + (kind === 'meme' ? Math.min(otherUsd, stockUsd) : otherUsd)
  return Number.isFinite(sum) ? sum : null
}

/** Dollars on the side that is not the stock: what keeps a thin pool from setting prices. */
export const trustedSideUsdOf = (sides: SideValues): number | null =>
  product(sides.otherReserve, sides.otherPriceUsd)
