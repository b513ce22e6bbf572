import type { Address, BlockNumber, Hash, ProtocolId } from '../units.ts'

/** A factory or PoolManager of the network file: its logs are trusted (docs/methodology.md §1). */
export type Venue = {
  readonly address: Address
  readonly protocol: ProtocolId
  /** For people, such as `Uniswap v3`. */
  readonly name: string
  readonly startBlock: BlockNumber
  /**
   * keccak256 of the pools' creation code. Null disables the check of their addresses, for forks;
   * so it is where the protocol has no such check.
   */
  readonly initCodeHash: Hash | null
  /** The contract that creates the pools; null where the factory does. */
  readonly poolDeployer: Address | null
  /** What the pools are EIP-1167 clones of; null where they are none, or it is not known. */
  readonly poolImplementation: Address | null
  /** The contract that reads the states of a manager's pools, or the manager; null if none does. */
  readonly stateView: Address | null
}

export type Venues = ReadonlyMap<Address, Venue>
