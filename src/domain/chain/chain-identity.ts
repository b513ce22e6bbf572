import type { Hash } from '../units.ts'

/** Which chain a store belongs to; a store never mixes two. */
export type ChainIdentity = {
  readonly chainId: number
  readonly network: string
  /**
   * Hash of the first indexed block, which differs between two runs of a development chain. Null
   * until the chain was first reached.
   */
  readonly originHash: Hash | null
}

/** An unknown origin matches every origin. */
export const isSameChain = (one: ChainIdentity, other: ChainIdentity): boolean =>
  one.chainId === other.chainId &&
  one.network === other.network &&
  (one.originHash === null || other.originHash === null || one.originHash === other.originHash)
