import { stockPriceInOther } from '../math/pool-price.ts'
import { poolUsdPrices } from '../price/pool-prices.ts'
import type { Reading } from '../reading.ts'
import { holdsRebasing } from '../stock/stock-standard.ts'
import { computeDepthUsd } from './depth-usd.ts'
import type { SideValues } from './pool-flags.ts'
import type { PoolInputs, ValuationContext } from './pool-inputs.ts'
import { type Reserves, resolveReserves } from './pool-reserves.ts'

/** What follows from a pool's state and the references. */
export type PoolNumbers = SideValues & {
  readonly reserves: Reserves
  readonly priceInOther: Reading<number>
  readonly stockPriceUsd: number | null
  readonly depthUsd: number | null
}

export const computePoolNumbers = (inputs: PoolInputs, context: ValuationContext): PoolNumbers => {
  const { pool, classification, decimals0, decimals1, fallback } = inputs
  const { enrichedTs, policy, now } = context
  const reserves = resolveReserves({
    pool,
    decimals0,
    decimals1,
    fallback,
    isRebasing: holdsRebasing(pool.key, context.standardOf),
    enrichedTs,
    policy,
    now,
  })
  const priceInOther = stockPriceInOther(
    pool.price,
    classification.stockIsToken0,
    decimals0,
    decimals1,
  )
  const stockRefUsd = inputs.stock.reading.reference?.usd ?? null
  const prices = poolUsdPrices({
    kind: classification.kind,
    stockPriceInOther: priceInOther.known ? priceInOther.value : null,
    stockRefUsd,
    otherRefUsd: inputs.other?.reference?.usd ?? null,
  })
  return {
    reserves,
    priceInOther,
    stockRefUsd,
    stockPriceUsd: prices.stockPriceUsd,
    otherPriceUsd: prices.otherPriceUsd,
    depthUsd: computeDepthUsd(
      inputs,
      { stockRefUsd, otherPriceUsd: prices.otherPriceUsd },
      reserves.source,
    ),
    stockReserve: classification.stockIsToken0 ? reserves.amount0 : reserves.amount1,
    otherReserve: classification.stockIsToken0 ? reserves.amount1 : reserves.amount0,
  }
}
