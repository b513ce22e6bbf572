import { hookMovesTokens } from '../dex/uniswap-v4/hook-flags.ts'
import type { PoolKey } from '../pool/pool-event.ts'
import type { ReserveFault } from '../pool/pool-state.ts'

/** Of a year, as rates of a day are published. */
export const daysPerYear = 365

/** Why fees of a pool's swaps are not what its liquidity providers get. */
export type EarningsFault = 'hook_custom_accounting' | 'reserve_rebasing'

/**
 * A hook that moves tokens may take the fees from who removes liquidity; what a pool of a rebasing
 * token pays out is not what its events say.
 */
export const earningsFaultOf = ({
  key,
  mapFault,
  isRebasing,
}: {
  readonly key: PoolKey
  readonly mapFault: ReserveFault | null
  readonly isRebasing: boolean
}): EarningsFault | null => {
  if (mapFault === 'hook_custom_accounting' || hookMovesTokens(key)) return 'hook_custom_accounting'
  return isRebasing ? 'reserve_rebasing' : null
}

/** Earnings of a day by the dollar in range, as a part of one a year (docs/methodology.md §14). */
export const feeAprOf = (feeYield24h: number | null, fault: EarningsFault | null): number | null =>
  feeYield24h === null || fault !== null ? null : daysPerYear * feeYield24h
