import type { Address, Hash, Hex } from '../../src/domain/units.ts'
import { createBlockStore } from './block-store.ts'
import { createContracts } from './contracts.ts'
import { beaconWord, stockTokens } from './contracts-and-tokens.ts'
import type { SyntheticChain } from './generate.ts'
import { createLogStore, type LogQuery, type LogTimestamps } from './log-store.ts'
import type { NodeBehavior } from './node-behavior.ts'
import { lastChainBlock, originBlock } from './params.ts'

export type RpcCall = {
  readonly id: unknown
  readonly method: string
  readonly params: readonly unknown[]
}

/** Answer to one call: a serialized JSON result, or an error. */
export type Answer =
  | { readonly result: readonly Buffer[]; readonly logs: number }
  | { readonly error: { readonly code: number; readonly message: string } }

const quantity = (value: number): Hex => `0x${value.toString(16)}`
const noWord: Hash = `0x${'0'.repeat(64)}`
const toAnswer = (value: unknown): Answer => ({
  result: [Buffer.from(JSON.stringify(value))],
  logs: 0,
})
const errorAnswer = (message: string, code = -32_000): Answer => ({ error: { code, message } })

type LogsParams = {
  readonly fromBlock?: Hex
  readonly toBlock?: Hex
  /** Replaces the range (EIP-234). */
  readonly blockHash?: Hash
  readonly address?: Address | readonly Address[]
  readonly topics?: readonly (Hash | readonly Hash[] | null)[]
}

const setOf = <T>(value: T | readonly T[]): ReadonlySet<T> =>
  new Set(Array.isArray(value) ? value : [value as T])

const queryOf = (
  { address, topics = [] }: LogsParams,
  { from, to }: Pick<LogQuery, 'from' | 'to'>,
): LogQuery => ({
  from,
  to,
  addresses: address === undefined ? null : setOf(address),
  topics: topics.map((topic) => (topic === null ? null : setOf(topic))),
})

/** A branch of the chain with its logs, blocks and contracts. */
const createBranch = (chain: SyntheticChain, stamps: LogTimestamps) => ({
  chain,
  logsOf: createLogStore(chain, stamps),
  blockOf: createBlockStore(chain),
  call: createContracts(chain),
})

type Branch = ReturnType<typeof createBranch>

const comma = Buffer.from(',')
const [open, close] = [Buffer.from('['), Buffer.from(']')]

/** A JSON array of parts that each end in a comma. */
const joinArray = (parts: readonly Buffer[]): readonly Buffer[] => {
  const last = parts.at(-1)
  if (last === undefined) return [open, close]
  return [open, ...parts.slice(0, -1), last.subarray(0, last.length - comma.length), close]
}

/** Answers JSON-RPC calls for a synthetic chain, without HTTP. */
export const createNode = (
  { main, fork }: { readonly main: SyntheticChain; readonly fork: SyntheticChain | null },
  stamps: LogTimestamps,
) => {
  const branches = {
    main: createBranch(main, stamps),
    fork: fork === null ? null : createBranch(fork, stamps),
  }
  const headOf = ({ lag }: NodeBehavior): number => lastChainBlock(main.params) - lag

  const blockOf = (tag: unknown, behavior: NodeBehavior): number | null => {
    const head = headOf(behavior)
    if (tag === 'latest') return head
    if (tag === 'finalized' || tag === 'safe') {
      return behavior.finalDepth === null ? null : Math.max(originBlock, head - behavior.finalDepth)
    }
    const block = Number(tag)
    // Blocks below the origin exist and are empty.
    return block >= 0 && block <= head ? block : null
  }

  /** The last word of a block hash is the block number. */
  const blockOfHash = ({ chain }: Branch, hash: unknown, behavior: NodeBehavior): number | null => {
    const block = blockOf(`0x${String(hash).slice(-8)}`, behavior)
    return block !== null && chain.blockRefAt(block).hash === hash ? block : null
  }

  const readLogs = (branch: Branch, params: LogsParams, behavior: NodeBehavior): Answer => {
    const block =
      params.blockHash === undefined ? null : blockOfHash(branch, params.blockHash, behavior)
    if (params.blockHash !== undefined && block === null) return errorAnswer('unknown block')
    const [from, to] = [block ?? Number(params.fromBlock), block ?? Number(params.toBlock)]
    const query = queryOf(params, { from, to })
    const { blocksMax, logsMax } = behavior
    const blocks = query.to - query.from + 1
    if (blocksMax !== null && blocks > blocksMax) {
      return errorAnswer(`exceed maximum block range: ${blocksMax}`, -32_602)
    }
    // Like real nodes: logs above the node's head are silently omitted.
    const { count, parts } = branch.logsOf({ ...query, to: Math.min(query.to, headOf(behavior)) })
    if (count > logsMax)
      return errorAnswer(`logs matched by query exceeds limit of ${logsMax}`, -32_005)
    return { result: joinArray(parts), logs: count }
  }

  const readBlock = (
    branch: Branch,
    [tag, isFull]: readonly unknown[],
    behavior: NodeBehavior,
  ): Answer => {
    const block = blockOf(tag, behavior)
    if (block !== null) return toAnswer(branch.blockOf(block, isFull === true))
    return typeof tag === 'string' && tag.startsWith('0x')
      ? toAnswer(null)
      : errorAnswer(`the tag ${tag} is not supported`, -32_602)
  }

  const call = (
    branch: Branch,
    [call, tag]: readonly unknown[],
    behavior: NodeBehavior,
  ): Answer => {
    const { to, data } = call as { readonly to: Address; readonly data: Hex }
    const block = blockOf(tag, behavior)
    if (block === null) return errorAnswer('header not found')
    const returned = branch.call(to, data, block)
    return returned === null ? errorAnswer('execution reverted', 3) : toAnswer(returned)
  }

  const methods: Readonly<
    Record<string, (branch: Branch, params: readonly unknown[], behavior: NodeBehavior) => Answer>
  > = {
    eth_chainId: (_, __, behavior) => toAnswer(quantity(behavior.chainId)),
    eth_blockNumber: (_, __, behavior) => toAnswer(quantity(headOf(behavior))),
    eth_getBlockByNumber: readBlock,
    eth_getBlockByHash: (branch, [hash, isFull], behavior) => {
      const block = blockOfHash(branch, hash, behavior)
      return toAnswer(block === null ? null : branch.blockOf(block, isFull === true))
    },
    eth_getLogs: (branch, [params], behavior) => readLogs(branch, params as LogsParams, behavior),
    eth_call: call,
    eth_getStorageAt: (_, [address]) =>
      toAnswer(stockTokens.some((stock) => stock.address === address) ? beaconWord : noWord),
  }

  return ({ method, params }: RpcCall, behavior: NodeBehavior): Answer => {
    const branch = branches[behavior.branch] ?? branches.main
    const answer = methods[method]
    return answer === undefined
      ? errorAnswer(`the method ${method} does not exist`, -32_601)
      : answer(branch, params, behavior)
  }
}

export type SyntheticNode = ReturnType<typeof createNode>
