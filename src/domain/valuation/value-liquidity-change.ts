import { amountToApprox } from '../math/pool-price.ts'
import { rangeAmounts } from '../math/sqrt-price-math.ts'
import { sqrtPriceAtTick } from '../math/tick-math.ts'
import type { StoredLiquidityChange } from '../pool/stored-rows.ts'
import type { LiquidityChangeView } from '../views/history.ts'
import type { SwapViewPool } from './value-swap.ts'

type Amounts = Pick<LiquidityChangeView, 'stockAmount' | 'otherAmount'>

const toAmounts = (
  { tickLower, tickUpper, liquidityDelta }: StoredLiquidityChange,
  { classification, decimals0, decimals1 }: SwapViewPool,
  sqrtPriceX96: bigint | null,
): Amounts => {
  if (sqrtPriceX96 === null) return { stockAmount: null, otherAmount: null }
  const range = {
    sqrtLowerX96: sqrtPriceAtTick(tickLower),
    sqrtUpperX96: sqrtPriceAtTick(tickUpper),
    liquidity: liquidityDelta < 0n ? -liquidityDelta : liquidityDelta,
  }
  const raw = rangeAmounts(range, sqrtPriceX96)
  const amount0 = decimals0.known ? amountToApprox(raw.amount0, decimals0.value) : null
  const amount1 = decimals1.known ? amountToApprox(raw.amount1, decimals1.value) : null
  return classification.stockIsToken0
    ? { stockAmount: amount0, otherAmount: amount1 }
    : { stockAmount: amount1, otherAmount: amount0 }
}

/** A change of liquidity (docs/api.md), with the amounts of its range at the pool's price. */
export const toLiquidityChangeView = (
  change: StoredLiquidityChange,
  pool: SwapViewPool,
  { sqrtPriceX96, settled }: { readonly sqrtPriceX96: bigint | null; readonly settled: boolean },
): LiquidityChangeView => ({
  txHash: change.txHash,
  logIndex: change.logIndex,
  txIndex: change.txIndex,
  block: change.block,
  ts: change.ts,
  kind: change.liquidityDelta > 0n ? 'add' : 'remove',
  tickLower: change.tickLower,
  tickUpper: change.tickUpper,
  liquidityDelta: change.liquidityDelta.toString(),
  ...toAmounts(change, pool, sqrtPriceX96),
  owner: change.owner,
  sender: change.sender,
  salt: change.salt,
  settled,
})
