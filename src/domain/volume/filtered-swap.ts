import type { EventPlace } from '../pool/pool-event.ts'
import type { StoredLiquidityChange, StoredSwap } from '../pool/stored-rows.ts'

/** What the filter needs of a swap. */
export type FilteredSwap = EventPlace &
  Pick<
    StoredSwap,
    'pool' | 'txHash' | 'amount0' | 'amount1' | 'sender' | 'usdMicro' | 'implausible' | 'trader'
  >

/** What it needs of a change of liquidity. */
export type FilteredChange = Pick<
  StoredLiquidityChange,
  | 'block'
  | 'logIndex'
  | 'txHash'
  | 'tickLower'
  | 'tickUpper'
  | 'liquidityDelta'
  | 'owner'
  | 'sender'
  | 'salt'
>

/** Which token the pool received; null: not one for the other. */
export const tokenInOf = ({
  amount0,
  amount1,
}: Pick<FilteredSwap, 'amount0' | 'amount1'>): 0 | 1 | null => {
  if (amount0 > 0n && amount1 < 0n) return 0
  return amount0 < 0n && amount1 > 0n ? 1 : null
}
