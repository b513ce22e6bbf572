import type { PoolKind } from '../views/pool.ts'

export type PoolUsdPrices = {
  /** US dollars per stock token. */
  readonly stockPriceUsd: number | null
  /** US dollars per other token. */
  readonly otherPriceUsd: number | null
}

/** Null for a result that is not finite and positive. */
export const finitePositive = (value: number): number | null =>
  Number.isFinite(value) && value > 0 ? value : null

/**
 * Dollar prices of both sides from one reference (methodology §3, table). A canonical or
 * stock-stock pool implies its stock's price from the other side's reference; a meme pool uses the
 * stock's reference and implies the meme's price.
 */
export const poolUsdPrices = (input: {
  readonly kind: PoolKind
  readonly stockPriceInOther: number | null
  readonly stockRefUsd: number | null
  readonly otherRefUsd: number | null
}): PoolUsdPrices => {
  const { stockPriceInOther, stockRefUsd, otherRefUsd } = input
  if (input.kind === 'meme') {
    const isImplied = stockRefUsd !== null && stockPriceInOther !== null
    return {
      stockPriceUsd: stockRefUsd,
      otherPriceUsd: isImplied ? finitePositive(stockRefUsd / stockPriceInOther) : null,
    }
  }
  const isImplied = otherRefUsd !== null && stockPriceInOther !== null
  return {
    stockPriceUsd: isImplied ? finitePositive(stockPriceInOther * otherRefUsd) : null,
    otherPriceUsd: otherRefUsd,
  }
}
