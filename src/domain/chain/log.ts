import type { Address, BlockNumber, Hash, Hex, UnixSeconds } from '../units.ts'

/**
 * One event log as the node reported it. `parseLog` guarantees lowercase hexadecimal text of whole
 * bytes; later code does not check it again.
 */
export type ChainLog = {
  readonly address: Address
  readonly topics: readonly Hash[]
  readonly data: Hex
  readonly block: BlockNumber
  readonly blockHash: Hash
  /** Time of the block's header; never the log's own field, which some nodes report as zero. */
  readonly ts: UnixSeconds
  readonly txHash: Hash
  readonly txIndex: number
  readonly logIndex: number
}
