import { getProtocol } from '../dex/find-protocol.ts'
import type { ContractFees, PoolIdentity } from '../pool/pool-state.ts'
import { feeParts } from './swap-step.ts'

/** The two halves of a v4 `protocolFee`, 12 bits each (v4-core ProtocolFeeLibrary). */
const directionBits = 12

/**
 * What a swap pays with LP fee and protocol fee, in hundredths of a bip: the LP fee is of what the
 * protocol fee leaves (v4-core ProtocolFeeLibrary.calculateSwapFee).
 */
const combineFees = (protocolFee: number, lpFee: number): number =>
  protocolFee + lpFee - Math.floor((protocolFee * lpFee) / feeParts)

/**
 * The fee of a swap's input in hundredths of a bip; null if it is not known. In v3 the protocol's
 * part is paid by the positions. v4-core Pool.swap takes the protocol fee of the direction.
 */
export const swapFeeOf = (
  { protocol, key, fees }: Pick<PoolIdentity, 'protocol' | 'key'> & { fees: ContractFees | null },
  zeroForOne: boolean,
): number | null => {
  const rules = getProtocol(protocol)
  if (rules.fee === 'key') return key.fee
  if (fees === null) return null
  const { protocolFee, lpFee } = fees
  if (rules.protocolFee !== 'of-input') return lpFee
  const own = zeroForOne ? protocolFee % 2 ** directionBits : protocolFee >> directionBits
  return own === 0 ? lpFee : combineFees(own, lpFee)
}
