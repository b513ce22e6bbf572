import type { BlockRef } from '../domain/chain/block-ref.ts'
import type { ChainLog } from '../domain/chain/log.ts'
import type { Outcome } from '../domain/outcome.ts'
import type { Address, BlockNumber, Hash, Hex } from '../domain/units.ts'

/** Why a request failed. `detail` contains no more of the endpoint than its host. */
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
  /** The endpoint rejects ranges this large; some say how many blocks they accept. */
  | {
      readonly kind: 'range-too-large'
      readonly suggestedBlocks: number | null
      readonly detail: string
    }
  /** The endpoint does not have the block yet, has another one, or no longer has its state. */
  | { readonly kind: 'behind'; readonly detail: string }
  | { readonly kind: 'wrong-chain'; readonly detail: string }
  | { readonly kind: 'rejected'; readonly detail: string }

export type LogFilter = {
  readonly addresses?: readonly Address[]
  /** By position; null matches every topic, a list any of its entries. */
  readonly topics: readonly (readonly Hash[] | null)[]
}

export type BlockRange = { readonly from: BlockNumber; readonly to: BlockNumber }

export type ContractCall = { readonly to: Address; readonly data: Hex }

/**
 * The return data of a call, or why there is none. `unanswered`: the node refused the call, which
 * says nothing about the contract, so the call must be repeated later.
 */
export type CallResult =
  | { readonly ok: true; readonly data: Hex }
  | { readonly ok: false; readonly reason: 'reverted' | 'too-large' | 'unanswered' }

/** The node refused one of the calls. */
export const isUnanswered = (result: CallResult | undefined): boolean =>
  result === undefined || (!result.ok && result.reason === 'unanswered')

export type Heads = {
  readonly latest: BlockRef
  /** The newest block that is final by the network's rule; null if no endpoint reports one. */
  readonly finalized: BlockRef | null
}

/** The logs of a range with both its ends, from one request to one endpoint. */
export type BlockRangeLogs = {
  /** In chain order, with the timestamps of their blocks, without `removed` ones or duplicates. */
  readonly logs: readonly ChainLog[]
  /** Hash of the block before the range: links the range to the previous one. */
  readonly parentHash: Hash
  readonly last: BlockRef
}

/** `endpointsAgreed`: how many endpoints returned exactly these logs, independently. */
export type CrossCheckedRange = BlockRangeLogs & { readonly endpointsAgreed: number }

export type MinedTransaction = { readonly txHash: Hash; readonly block: BlockNumber }

/**
 * Returns the sender of each transaction, in order; null if the node refused the call or has no
 * such transaction in that block.
 */
export type ReadSenders = (
  transactions: readonly MinedTransaction[],
) => Promise<Outcome<readonly (Address | null)[], RpcFault>>

export type ChainReader = {
  readonly chainId: () => Promise<Outcome<number, RpcFault>>
  readonly getHeads: () => Promise<Outcome<Heads, RpcFault>>
  readonly getBlockRef: (block: BlockNumber) => Promise<Outcome<BlockRef, RpcFault>>
  /**
   * `times: false` saves the header requests for logs without a timestamp; every `ts` is then 0.
   */
  readonly readRange: (
    range: BlockRange,
    filter: LogFilter,
    need?: { readonly times: boolean },
  ) => Promise<Outcome<BlockRangeLogs, RpcFault>>
  /**
   * Like `readRange`, but requested from two endpoints if there are two: logs carry no proof, and
   * a lagging endpoint omits some. If one response contains the other, the larger one is returned
   * with `endpointsAgreed` 1. Responses that conflict are a fault.
   */
  readonly readRangeCrossChecked: (
    range: BlockRange,
    filter: LogFilter,
    need?: { readonly times: boolean },
  ) => Promise<Outcome<CrossCheckedRange, RpcFault>>
  /**
   * One result per call, in order; a hostile contract affects only its own. With a block ref, an
   * endpoint that has another block of that number is `behind`. `confirmed`: a result without data
   * counts only if two calls agree on it, else it is `unanswered` (methodology §7).
   */
  readonly callContracts: (
    calls: readonly ContractCall[],
    at: BlockNumber | BlockRef | 'latest',
    need?: { readonly confirmed: boolean },
  ) => Promise<Outcome<readonly CallResult[], RpcFault>>
  /**
   * The word at one slot of each contract after this block, in order. A word of zeros counts only
   * if two calls agree on it; null if the node refused the call or they do not.
   */
  readonly getStorageAt: (
    addresses: readonly Address[],
    slot: Hash,
    at: BlockRef,
  ) => Promise<Outcome<readonly (Hash | null)[], RpcFault>>
}
