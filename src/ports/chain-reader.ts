import type { BlockRef } from '../domain/chain/block-ref.ts'
import type { ChainLog } from '../domain/chain/log.ts'
import type { Outcome } from '../domain/outcome.ts'
import type { Address, BlockNumber, Hash, Hex } from '../domain/units.ts'

/** Why a node did not answer as asked. `detail` names at most the endpoint's host. */
export type RpcFault =
  | {
      readonly kind: 'unreachable' | 'timeout' | 'malformed' | 'too-large'
      readonly detail: string
    }
  | {
      readonly kind: 'rate-limited'
      readonly retryAfterSeconds: number | null
      readonly detail: string
    }
  /** The range holds more than the node will answer; perhaps it says how many blocks it would. */
  | {
      readonly kind: 'range-too-large'
      readonly suggestedBlocks: number | null
      readonly detail: string
    }
  /** The node has not seen the block yet, or has forgotten its state. */
  | { readonly kind: 'behind'; readonly detail: string }
  | { readonly kind: 'wrong-chain'; readonly detail: string }
  | { readonly kind: 'rejected'; readonly detail: string }

export type LogFilter = {
  readonly addresses?: readonly Address[]
  /** By position; null matches anything, a list matches any of it. */
  readonly topics: readonly (readonly Hash[] | null)[]
}

export type BlockRange = { readonly from: BlockNumber; readonly to: BlockNumber }

export type ContractCall = { readonly to: Address; readonly data: Hex }

/** A call's return data, or why there is none: it reverted, or answered more than the cap. */
export type CallResult =
  | { readonly ok: true; readonly data: Hex }
  | { readonly ok: false; readonly reason: 'reverted' | 'too-large' }

export type Heads = {
  readonly latest: BlockRef
  /** The newest block that the chain calls final by the network's rule; null if it can not say. */
  readonly finalized: BlockRef | null
}

/** A range's logs and its two ends, as one node saw them in one request. */
export type BlockRangeLogs = {
  /** In chain order, each with its block's time, none removed, none twice. */
  readonly logs: readonly ChainLog[]
  /** Of the block before the range: if it is the one that we hold, the range continues it. */
  readonly parentHash: Hash
  /** The range's last block. */
  readonly last: BlockRef
}

/** A range and how many endpoints told the very same of it, independently of each other. */
export type CrossCheckedRange = BlockRangeLogs & { readonly endpointsAgreed: number }

export type ChainReader = {
  readonly chainId: () => Promise<Outcome<number, RpcFault>>
  readonly getHeads: () => Promise<Outcome<Heads, RpcFault>>
  readonly getBlockRef: (block: BlockNumber) => Promise<Outcome<BlockRef, RpcFault>>
  /**
   * `times: false` spares the node the headers of logs that state no time; all then have the
   * time 0.
   */
  readonly readRange: (
    range: BlockRange,
    filter: LogFilter,
    need?: { readonly times: boolean },
  ) => Promise<Outcome<BlockRangeLogs, RpcFault>>
  /**
   * As `readRange`, but asked of two endpoints where there are two: logs carry no proof, and a node
   * that lags leaves some out. Of two answers the one that holds the other counts; it is then
   * witnessed once. Two that contradict each other are a fault.
   */
  readonly readRangeCrossChecked: (
    range: BlockRange,
    filter: LogFilter,
    need?: { readonly times: boolean },
  ) => Promise<Outcome<CrossCheckedRange, RpcFault>>
  /**
   * One result per call, in order. A hostile contract spoils only its own. Where an anchor is
   * given, a node that has another block of that number is `behind`.
   */
  readonly callContracts: (
    calls: readonly ContractCall[],
    at: BlockNumber | BlockRef | 'latest',
  ) => Promise<Outcome<readonly CallResult[], RpcFault>>
  /** The word at one slot of each contract, in order; null where that one was refused. */
  readonly getStorageAt: (
    addresses: readonly Address[],
    slot: Hash,
  ) => Promise<Outcome<readonly (Hash | null)[], RpcFault>>
}
