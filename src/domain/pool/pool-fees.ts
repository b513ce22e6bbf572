import { getProtocol } from '../dex/find-protocol.ts'
import { isDynamicFee } from '../dex/uniswap-v4/hook-flags.ts'
import type { BlockNumber } from '../units.ts'
import type { PoolKey } from './pool-event.ts'
import type { ContractFees, PoolFees, PoolIdentity } from './pool-state.ts'

/** What the fees at creation follow from. */
export type FeeOrigin = Pick<PoolIdentity, 'protocol' | 'createdBlock'> & {
  readonly key: Pick<PoolKey, 'fee'>
}

/**
 * The fees that `Initialize` sets (v4-core PoolManager.initialize, Pool.initialize): that of the
 * key, and no protocol fee. Null for a dynamic fee, which the hook may set at once without an
 * event, and in v3, whose traders pay the fee of the key.
 */
export const feesAtCreation = ({ protocol, key, createdBlock }: FeeOrigin): PoolFees | null =>
  getProtocol(protocol).fee === 'key' || isDynamicFee(key.fee)
    ? null
    : { lpFee: key.fee, protocolFee: 0, block: createdBlock }

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
  if (read === null || isSameFees(known, read)) return known
  const created = known === null ? feesAtCreation(origin) : null
  return isSameFees(created, read) ? created : { ...read, block }
}

/** The fees after `ProtocolFeeUpdated`; a dynamic fee that is not known yet stays unknown. */
export const feesAfterUpdate = (
  known: PoolFees | null,
  protocolFee: number,
  { origin, block }: { readonly origin: FeeOrigin; readonly block: BlockNumber },
): PoolFees | null => {
  const before = known ?? feesAtCreation(origin)
  return before && { lpFee: before.lpFee, protocolFee, block }
}
