import { getProtocol } from '../dex/find-protocol.ts'
import { dynamicFee, isDynamicFee } from '../dex/uniswap-v4/hook-flags.ts'
import type { BlockNumber } from '../units.ts'
import type { PoolKey, PoolSwapped } from './pool-event.ts'
import type { ContractFees, PoolFees, PoolIdentity } from './pool-state.ts'

/** What the fees at creation follow from. */
export type FeeOrigin = Pick<PoolIdentity, 'protocol' | 'createdBlock'> & {
  readonly key: Pick<PoolKey, 'fee'>
}

/** What every swap pays whose log has no fee; the dynamic fee where that changes. */
export const feeOfKey = ({
  protocol,
  fee,
}: Pick<PoolIdentity, 'protocol'> & Pick<PoolKey, 'fee'>): number =>
  getProtocol(protocol).fee === 'key' ? fee : dynamicFee

/** Whether the pool's LP fee may change without a log. */
export const hasUnloggedFee = ({ protocol, key }: Pick<FeeOrigin, 'protocol' | 'key'>): boolean => {
  const { fee, logsLpFee } = getProtocol(protocol)
  return fee === 'state' && isDynamicFee(key.fee) && !logsLpFee
}

/**
 * The fees that `Initialize` sets (v4-core PoolManager.initialize, Pool.initialize): that of the
 * key, none of a dynamic fee, and no protocol fee. Null for a dynamic fee that the hook may set at
 * once without an event, where the protocol fee is not logged, and in v3, whose traders pay the fee
 * of the key.
 */
export const feesAtCreation = (origin: FeeOrigin): PoolFees | null => {
  const { protocol, key, createdBlock } = origin
  const { fee, hasFeesAtCreation } = getProtocol(protocol)
  if (fee === 'key' || !hasFeesAtCreation || hasUnloggedFee(origin)) return null
  return { lpFee: isDynamicFee(key.fee) ? 0 : key.fee, protocolFee: 0, block: createdBlock }
}

/** Known ones, or those of the creation, of v3 as well: there nothing else is kept of them. */
const feesBefore = (known: PoolFees | null, origin: FeeOrigin): PoolFees | null => {
  if (known !== null) return known
  const { protocol, key, createdBlock: block } = origin
  if (getProtocol(protocol).fee === 'key') return { lpFee: key.fee, protocolFee: 0, block }
  return feesAtCreation(origin)
}

/**
 * What a swap paid, in hundredths of a bip: by its log, or by the pool's LP fee at the swap where
 * logs say what that was. Null in v3, whose swaps pay the fee of the key, and if it is not known.
 */
export const feeOfSwap = (
  event: PoolSwapped,
  { protocol, fees }: Pick<PoolIdentity, 'protocol'> & { readonly fees: ContractFees | null },
): number | null => {
  if (event.fee !== null) return event.fee
  const { overrideFee = 0, pluginFee = 0 } = event.announced ?? {}
  if (overrideFee > 0) return overrideFee + pluginFee
  return getProtocol(protocol).logsLpFee && fees !== null ? fees.lpFee + pluginFee : null
}

export const isSameFees = (one: ContractFees | null, other: ContractFees | null): boolean =>
  one?.lpFee === other?.lpFee && one?.protocolFee === other?.protocolFee

/**
 * The fees after a read at `block`. Equal ones stay, with their block. The first read of a pool
 * with the fees of its creation takes them to hold since then.
 */
export const feesAfterRead = (
  known: PoolFees | null,
  read: ContractFees | null,
  { origin, block }: { readonly origin: FeeOrigin; readonly block: BlockNumber },
): PoolFees | null => {
  if (read === null) return known
  if (getProtocol(origin.protocol).fee === 'key') {
    const isSame = feesBefore(known, origin)?.protocolFee === read.protocolFee
    return isSame ? known : { ...read, lpFee: origin.key.fee, block }
  }
  if (isSameFees(known, read)) return known
  const created = known === null ? feesAtCreation(origin) : null
  return isSameFees(created, read) ? created : { ...read, block }
}

/** The fees after an event that sets one of them; unknown ones need the other as well. */
export const feesAfterUpdate = (
  known: PoolFees | null,
  changed: Partial<ContractFees>,
  { origin, block }: { readonly origin: FeeOrigin; readonly block: BlockNumber },
): PoolFees | null => {
  const before = feesBefore(known, origin)
  return before && { ...before, ...changed, block }
}

/** The LP fee as it is last known, and the block since which it holds as far as is known. */
export const knownFee = ({
  protocol,
  key,
  createdBlock,
  fees,
}: FeeOrigin & { readonly fees: PoolFees | null }): {
  readonly lpFee: number | null
  readonly feeBlock: BlockNumber | null
} =>
  getProtocol(protocol).fee === 'key'
    ? { lpFee: key.fee, feeBlock: createdBlock }
    : { lpFee: fees?.lpFee ?? null, feeBlock: fees?.block ?? null }
