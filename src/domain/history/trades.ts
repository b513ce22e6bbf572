import { amountToApprox } from '../math/pool-price.ts'
import type { StoredSwap } from '../pool/stored-rows.ts'
import type { Reading } from '../reading.ts'
import { bucketStart } from '../series/series-range.ts'
import type { UnixSeconds } from '../units.ts'

/** What candles need of a swap. */
export type Trade = Pick<
  StoredSwap,
  'block' | 'logIndex' | 'ts' | 'amount0' | 'amount1' | 'usdMicro' | 'implausible'
>

type StockSide = {
  readonly stockIsToken0: boolean
  readonly decimals: Reading<number>
}

const magnitude = (raw: bigint): bigint => (raw < 0n ? -raw : raw)

/** The stock that changed hands, in smallest units. */
export const stockRawOf = (trade: Trade, stockIsToken0: boolean): bigint =>
  magnitude(stockIsToken0 ? trade.amount0 : trade.amount1)

/**
 * Whole stock tokens of the swaps in each bucket, which is left out unless all of its swaps are
 * among them: retention deletes swaps.
 */
export const stockVolumes = (
  trades: readonly Trade[],
  buckets: readonly { readonly ts: UnixSeconds; readonly swaps: number }[],
  { side, bucketSeconds }: { readonly side: StockSide; readonly bucketSeconds: number },
): ReadonlyMap<UnixSeconds, number> => {
  const { decimals } = side
  const volumes = new Map<UnixSeconds, number>()
  if (!decimals.known) return volumes
  const byBucket = Map.groupBy(trades, ({ ts }) => bucketStart(ts, bucketSeconds))
  for (const { ts, swaps } of buckets) {
    const own = byBucket.get(ts) ?? []
    if (own.length !== swaps) continue
    const raw = own.reduce((sum, trade) => sum + stockRawOf(trade, side.stockIsToken0), 0n)
    volumes.set(ts, amountToApprox(raw, decimals.value))
  }
  return volumes
}
