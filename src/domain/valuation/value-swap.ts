import { paidFeeOf } from '../dex/uniswap-v4/hook-flags.ts'
import { amountToApprox } from '../math/pool-price.ts'
import type { PoolClassification } from '../pool/pool-kind.ts'
import { microPerUsd, type StoredSwap } from '../pool/stored-rows.ts'
import type { Reading } from '../reading.ts'
import type { SwapView } from '../views/pool.ts'

export type SwapViewPool = {
  readonly classification: PoolClassification
  readonly decimals0: Reading<number>
  readonly decimals1: Reading<number>
  /** Fee of the pool's key, which is the fee of every v3 swap. */
  readonly fee: number
}

const magnitude = (raw: bigint): bigint => (raw < 0n ? -raw : raw)

const wholeOf = (raw: bigint, decimals: Reading<number>): number | null =>
  decimals.known ? amountToApprox(magnitude(raw), decimals.value) : null

const quotient = (dividend: number | null, divisor: number | null): number | null => {
  if (dividend === null || divisor === null || divisor === 0) return null
  const value = dividend / divisor
  return Number.isFinite(value) ? value : null
}

/** The trader buys what the pool pays; with an amount of 0 the other side decides. */
const sideOf = (stockRaw: bigint, otherRaw: bigint): SwapView['side'] =>
  stockRaw > 0n || (stockRaw === 0n && otherRaw < 0n) ? 'sell' : 'buy'

/** A swap from the trader's side (docs/api.md): positive amounts and the price paid. */
export const toSwapView = (swap: StoredSwap, pool: SwapViewPool): SwapView => {
  const { classification, decimals0, decimals1 } = pool
  const side0 = { raw: swap.amount0, amount: wholeOf(swap.amount0, decimals0) }
  const side1 = { raw: swap.amount1, amount: wholeOf(swap.amount1, decimals1) }
  const [stock, other] = classification.stockIsToken0 ? [side0, side1] : [side1, side0]
  // A swap of zero amounts has no value (methodology §5).
  const isEmpty = stock.raw === 0n && other.raw === 0n
  const { usdMicro } = swap
  return {
    txHash: swap.txHash,
    logIndex: swap.logIndex,
    block: swap.block,
    ts: swap.ts,
    side: sideOf(stock.raw, other.raw),
    stockAmount: stock.amount,
    otherAmount: other.amount,
    priceInOther: quotient(other.amount, stock.amount),
    amountUsd: isEmpty || usdMicro === null ? null : usdMicro / microPerUsd,
    sender: swap.sender,
    recipient: swap.recipient,
    fee: paidFeeOf(swap.fee, pool.fee),
    sqrtPriceX96: swap.sqrtPriceX96.toString(),
    tick: swap.tick,
    implausible: swap.implausible,
  }
}
