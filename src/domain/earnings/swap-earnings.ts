import type { PoolSwapped } from '../pool/pool-event.ts'
import type { StoredSwap } from '../pool/stored-rows.ts'
import type { TrackedPool } from '../pool/tracked-pool.ts'
import { feeYieldOf } from './fee-yield.ts'
import { lpFeeOf, wholeFeeOf } from './lp-fee.ts'

/** What a swap earned for liquidity providers; `pool` is the one after it. */
export const earningsOf = (
  event: PoolSwapped,
  {
    pool: { identity, state },
    beforeX96,
    usdMicro,
  }: {
    readonly pool: TrackedPool
    /** √price before the swap; null if it is not known. */
    readonly beforeX96: bigint | null
    readonly usdMicro: number | null
  },
): Pick<StoredSwap, 'lpFee' | 'feeYield'> => {
  const { protocol, key } = identity
  const pool = { protocol, key, fees: state.fees }
  const fee = state.lastSwapFee
  const lpFee = lpFeeOf({ event, pool, fee, pluginFee: event.announced?.pluginFee ?? 0 })
  const wholeFee = wholeFeeOf({ pool, fee })
  const { sqrtPriceX96 } = event
  return { lpFee, feeYield: feeYieldOf({ beforeX96, sqrtPriceX96, wholeFee, lpFee, usdMicro }) }
}
