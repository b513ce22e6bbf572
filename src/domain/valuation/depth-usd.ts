import { amountToApprox } from '../math/pool-price.ts'
import type { PoolClassification } from '../pool/pool-kind.ts'
import type { RawAmounts } from '../pool/pool-state.ts'
import type { Reading } from '../reading.ts'
import type { ReserveSource } from '../views/pool.ts'
import type { SideValues } from './pool-flags.ts'

/**
 * US dollars of the trusted side that move the pool's price by `depthPriceMove` (methodology §4):
 * the stock in a meme pool, else the other token. Null unless the tick map gives the reserves.
 */
export const computeDepthUsd = (
  input: {
    readonly pool: { readonly depth: RawAmounts | null }
    readonly classification: PoolClassification
    readonly decimals0: Reading<number>
    readonly decimals1: Reading<number>
  },
  prices: Pick<SideValues, 'stockRefUsd' | 'otherPriceUsd'>,
  reserveSource: ReserveSource | null,
): number | null => {
  const { depth } = input.pool
  if (depth === null || reserveSource !== 'ticks') return null
  const { kind, stockIsToken0 } = input.classification
  const isStockTrusted = kind === 'meme'
  const isToken0 = stockIsToken0 === isStockTrusted
  const decimals = isToken0 ? input.decimals0 : input.decimals1
  if (!decimals.known) return null
  const amount = amountToApprox(isToken0 ? depth.amount0 : depth.amount1, decimals.value)
  if (amount === 0) return 0
  const usd = isStockTrusted ? prices.stockRefUsd : prices.otherPriceUsd
  return usd !== null && Number.isFinite(amount * usd) ? amount * usd : null
}
