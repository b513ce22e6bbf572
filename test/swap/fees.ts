import { isDynamicFee } from '../../src/domain/dex/uniswap-v4/hook-flags.ts'
import type { ContractFees } from '../../src/domain/pool/pool-state.ts'
import { swapFeeOf } from '../../src/domain/swap/swap-fee.ts'
import type { IndexedPool } from './indexed-sandbox.ts'

/** Of the input, hundredths of a bip. */
export type SwapFee = (zeroForOne: boolean) => number

/** contracts/Hooks.sol: DynamicFeeHook answers another fee each minute, whatever slot0 says. */
const hookFeeAt = (ts: number): number => 500 + (Math.floor(ts / 60) % 11) * 250

/** Whether the fee changes without a log: pools of Algebra log theirs. */
export const isDynamic = ({ stored }: IndexedPool): boolean =>
  isDynamicFee(stored.key.fee) && stored.protocol !== 'algebra-integral'

/** By the fees that our index holds; by the contracts where a hook or a module decides. */
export const feeOfSwaps = (
  pool: IndexedPool,
  slot0: ContractFees | undefined,
  ts: number,
): SwapFee => {
  const { stored } = pool
  const ofHook = { protocolFee: slot0?.protocolFee ?? Number.NaN, lpFee: hookFeeAt(ts) }
  const moving = stored.key.hooks === null ? (slot0 ?? null) : ofHook
  const fees = isDynamic(pool) ? moving : stored.fees
  return (zeroForOne) => swapFeeOf({ ...stored, fees }, zeroForOne) ?? Number.NaN
}
