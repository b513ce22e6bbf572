import { getProtocol } from '../dex/find-protocol.ts'
import { isDynamicFee, paidFeeOf } from '../dex/uniswap-v4/hook-flags.ts'
import type { PoolSwapped } from '../pool/pool-event.ts'
import { feeOfKey } from '../pool/pool-fees.ts'
import type { ContractFees, PoolIdentity } from '../pool/pool-state.ts'
import { feeParts } from '../swap/swap-step.ts'

/** Stored parts of a swap's input are integers of this many to the whole: a millionth of a bip. */
export const lpFeeParts = 10_000_000_000

/** What a swap paid, and the rules that part it. */
export type PaidSwap = {
  readonly event: Pick<PoolSwapped, 'amount0' | 'amount1' | 'protocolFee' | 'protocolAmount'>
  readonly pool: Pick<PoolIdentity, 'protocol' | 'key'> & { readonly fees: ContractFees | null }
  /** The whole fee of the input in hundredths of a bip, as stored; null where the key says it. */
  readonly fee: number | null
}

/** Token0 enters. */
const isZeroForOne = ({ amount0 }: PaidSwap['event']): boolean => amount0 > 0n

/** What enters the pool; 0 if nothing does. */
const inputOf = ({ amount0, amount1 }: PaidSwap['event']): bigint => {
  if (amount0 > 0n) return amount0
  return amount1 > 0n ? amount1 : 0n
}

/** UniswapV3Pool.swap: one part of this many goes to the protocol; token1's in the high bits. */
const quotientOf = (protocolFee: number, zeroForOne: boolean): number =>
  zeroForOne ? protocolFee & 0b1111 : protocolFee >> 4

/** The floor of `ProtocolFeeLibrary.calculateSwapFee`, in parts of one. */
const feeRounding = 1.5 / feeParts

/**
 * The protocol fee of v4: that of the pool and direction if the whole fee agrees with it, else what
 * the whole fee p + l - p * l of a static pool says, to its rounding.
 */
const partOfInput = ({ event, pool: { key, fees } }: PaidSwap, fee: number): number | null => {
  const { protocolFee } = fees ?? { protocolFee: 0 }
  const known = (isZeroForOne(event) ? protocolFee & 0xfff : protocolFee >> 12) / feeParts
  if (isDynamicFee(key.fee)) return fees === null ? null : known
  const lpFee = key.fee / feeParts
  const derived = lpFee < 1 ? Math.max(0, (fee - lpFee) / (1 - lpFee)) : 0
  return fees !== null && Math.abs(known - derived) < feeRounding ? known : derived
}

/** What of `fee` is the protocol's, both parts of one; null if it is not known. */
const protocolPart = (swap: PaidSwap, fee: number): number | null => {
  const { event, pool } = swap
  const { fees, protocol } = pool
  const zeroForOne = isZeroForOne(event)
  switch (getProtocol(protocol).protocolFee) {
    case 'quotient': {
      const quotient = quotientOf(fees?.protocolFee ?? 0, zeroForOne)
      return quotient === 0 ? 0 : fee / quotient
    }
    case 'thousandths':
      return fees === null ? null : (fee * fees.protocolFee) / 1000
    case 'logged-amount': {
      const input = inputOf(event)
      const { protocolAmount } = event
      if (protocolAmount === undefined) return null
      return input === 0n ? 0 : Number(protocolAmount) / Number(input)
    }
    case 'of-input':
      return event.protocolFee === undefined ? partOfInput(swap, fee) : event.protocolFee / feeParts
    case 'unknown':
      return null
  }
}

/** The fee of a swap's input as a part of one; null if no log or key says it. */
export const wholeFeeOf = ({ pool, fee }: Pick<PaidSwap, 'pool' | 'fee'>): number | null => {
  const { protocol, key } = pool
  const paid = paidFeeOf(fee, feeOfKey({ protocol, fee: key.fee }))
  return paid === null ? null : paid / feeParts
}

/**
 * The part of a swap's input, with its fee, that went to liquidity providers, in `lpFeeParts`
 * (docs/methodology.md §14); null if it is not known.
 */
export const lpFeeOf = (swap: PaidSwap & { readonly pluginFee: number }): number | null => {
  const whole = wholeFeeOf(swap)
  if (whole === null) return null
  const shared = whole - swap.pluginFee / feeParts
  const taken = protocolPart(swap, shared)
  return taken === null ? null : Math.max(0, Math.round((shared - taken) * lpFeeParts))
}
