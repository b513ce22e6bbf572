import type { Address, BlockNumber, Hash, Hex, UnixSeconds } from '../units.ts'

/**
 * One event log as the chain's node reported it, parsed once at the door (`parseLog`), which also
 * answers for its texts: lowercase hexadecimal, whole bytes. Nothing behind it looks again.
 */
export type ChainLog = {
  readonly address: Address
  readonly topics: readonly Hash[]
  readonly data: Hex
  readonly block: BlockNumber
  readonly blockHash: Hash
  /** Time of the block's header. Never the log's own field where a node reports it as zero. */
  readonly ts: UnixSeconds
  readonly txHash: Hash
  readonly txIndex: number
  readonly logIndex: number
}
