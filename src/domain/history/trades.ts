import { amountToApprox } from '../math/pool-price.ts'
import type { StoredSwap } from '../pool/stored-rows.ts'
import type { Reading } from '../reading.ts'
import type { UnixSeconds } from '../units.ts'

/** A swap as the candles of a stock need it. */
export type Trade = Pick<StoredSwap, 'block' | 'logIndex' | 'ts' | 'usdMicro' | 'implausible'> & {
  /** What moved of one token, in smallest units. */
  readonly raw: bigint
}

/** What the swaps of one bucket moved of a token, in smallest units, either way. */
export type TradedAmount = {
  readonly ts: UnixSeconds
  readonly swaps: number
  readonly raw: bigint
}

export const magnitude = (raw: bigint): bigint => (raw < 0n ? -raw : raw)

/**
 * Whole stock tokens of the swaps in each bucket, which is left out unless all of its swaps are
 * among them: retention deletes swaps.
 */
export const stockVolumes = (
  amounts: readonly TradedAmount[],
  buckets: readonly { readonly ts: UnixSeconds; readonly swaps: number }[],
  decimals: Reading<number>,
): ReadonlyMap<UnixSeconds, number> => {
  const volumes = new Map<UnixSeconds, number>()
  if (!decimals.known) return volumes
  const byBucket = new Map(amounts.map((amount) => [amount.ts, amount]))
  for (const { ts, swaps } of buckets) {
    const own = byBucket.get(ts)
    if (own?.swaps === swaps) volumes.set(ts, amountToApprox(own.raw, decimals.value))
  }
  return volumes
}
