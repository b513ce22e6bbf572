import type { Hash } from '../units.ts'

/** Which chain a store belongs to; a store never mixes two. */
export type ChainIdentity = {
  readonly chainId: number
  readonly network: string
  /**
   * Hash of the first block that is read: tells two runs of one development chain apart. Null until
   * the chain was reached for the first time.
   */
  readonly originHash: Hash | null
}

/** An origin that one side does not know yet contradicts nothing. */
export const isSameChain = (one: ChainIdentity, other: ChainIdentity): boolean =>
  one.chainId === other.chainId &&
  one.network === other.network &&
  (one.originHash === null || other.originHash === null || one.originHash === other.originHash)
