import type { Address, Hash, Hex } from '../../src/domain/units.ts'
import { createBlockBook } from './block-book.ts'
import { createContracts } from './contracts.ts'
import type { SyntheticChain } from './generate.ts'
import { createLogBook, type LogQuery, type Stamps } from './log-book.ts'
import type { Manners } from './manners.ts'
import { lastBlockOf, originBlock } from './params.ts'
import { beaconWord, stockTokens } from './world.ts'

export type RpcCall = {
  readonly id: unknown
  readonly method: string
  readonly params: readonly unknown[]
}

/** One call's answer: the text of a JSON result, or an error. */
export type Answer =
  | { readonly result: readonly Buffer[]; readonly logs: number }
  | { readonly error: { readonly code: number; readonly message: string } }

const quantity = (value: number): Hex => `0x${value.toString(16)}`
const noWord: Hash = `0x${'0'.repeat(64)}`
const textOf = (value: unknown): Answer => ({
  result: [Buffer.from(JSON.stringify(value))],
  logs: 0,
})
const refusal = (message: string, code = -32_000): Answer => ({ error: { code, message } })

type LogsParams = {
  readonly fromBlock?: Hex
  readonly toBlock?: Hex
  /** In the place of a range (EIP-234). */
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
  topics: topics.map((any) => (any === null ? null : setOf(any))),
})

/** One branch of the chain, as a node keeps it. */
const createBranch = (chain: SyntheticChain, stamps: Stamps) => ({
  chain,
  logsOf: createLogBook(chain, stamps),
  blockOf: createBlockBook(chain),
  call: createContracts(chain),
})

type Branch = ReturnType<typeof createBranch>

const comma = Buffer.from(',')
const [open, close] = [Buffer.from('['), Buffer.from(']')]

/** A list out of texts that each end in a comma. */
const listOf = (parts: readonly Buffer[]): readonly Buffer[] => {
  const last = parts.at(-1)
  if (last === undefined) return [open, close]
  return [open, ...parts.slice(0, -1), last.subarray(0, last.length - comma.length), close]
}

/** Answers JSON-RPC for a synthetic chain; knows nothing of HTTP. */
export const createNode = (
  { main, fork }: { readonly main: SyntheticChain; readonly fork: SyntheticChain | null },
  stamps: Stamps,
) => {
  const branches = {
    main: createBranch(main, stamps),
    fork: fork === null ? null : createBranch(fork, stamps),
  }
  const headOf = ({ lag }: Manners): number => lastBlockOf(main.params) - lag

  const blockOf = (tag: unknown, manners: Manners): number | null => {
    const head = headOf(manners)
    if (tag === 'latest') return head
    if (tag === 'finalized' || tag === 'safe') {
      return manners.finalDepth === null ? null : Math.max(originBlock, head - manners.finalDepth)
    }
    const block = Number(tag)
    // The blocks before the first that concerns us are there, and empty.
    return block >= 0 && block <= head ? block : null
  }

  /** The number of a block stands in its hash. */
  const ofHash = ({ chain }: Branch, hash: unknown, manners: Manners): number | null => {
    const block = blockOf(`0x${String(hash).slice(-8)}`, manners)
    return block !== null && chain.anchor(block).hash === hash ? block : null
  }

  const readLogs = (branch: Branch, params: LogsParams, manners: Manners): Answer => {
    const block = params.blockHash === undefined ? null : ofHash(branch, params.blockHash, manners)
    if (params.blockHash !== undefined && block === null) return refusal('unknown block')
    const [from, to] = [block ?? Number(params.fromBlock), block ?? Number(params.toBlock)]
    const query = queryOf(params, { from, to })
    const { blocksMax, logsMax } = manners
    const blocks = query.to - query.from + 1
    if (blocksMax !== null && blocks > blocksMax) {
      return refusal(`exceed maximum block range: ${blocksMax}`, -32_602)
    }
    // As real nodes do: what lies beyond the own head is silently missing.
    const { count, parts } = branch.logsOf({ ...query, to: Math.min(query.to, headOf(manners)) })
    if (count > logsMax)
      return refusal(`logs matched by query exceeds limit of ${logsMax}`, -32_005)
    return { result: listOf(parts), logs: count }
  }

  const readBlock = (
    branch: Branch,
    [tag, isFull]: readonly unknown[],
    manners: Manners,
  ): Answer => {
    const block = blockOf(tag, manners)
    if (block !== null) return textOf(branch.blockOf(block, isFull === true))
    return typeof tag === 'string' && tag.startsWith('0x')
      ? textOf(null)
      : refusal(`the tag ${tag} is not supported`, -32_602)
  }

  const call = (branch: Branch, [call, tag]: readonly unknown[], manners: Manners): Answer => {
    const { to, data } = call as { readonly to: Address; readonly data: Hex }
    const block = blockOf(tag, manners)
    if (block === null) return refusal('header not found')
    const returned = branch.call(to, data, block)
    return returned === null ? refusal('execution reverted', 3) : textOf(returned)
  }

  const methods: Readonly<
    Record<string, (branch: Branch, params: readonly unknown[], manners: Manners) => Answer>
  > = {
    eth_chainId: (_, __, manners) => textOf(quantity(manners.chainId)),
    eth_blockNumber: (_, __, manners) => textOf(quantity(headOf(manners))),
    eth_getBlockByNumber: readBlock,
    eth_getBlockByHash: (branch, [hash, isFull], manners) => {
      const block = ofHash(branch, hash, manners)
      return textOf(block === null ? null : branch.blockOf(block, isFull === true))
    },
    eth_getLogs: (branch, [params], manners) => readLogs(branch, params as LogsParams, manners),
    eth_call: call,
    eth_getStorageAt: (_, [address]) =>
      textOf(stockTokens.some((stock) => stock.address === address) ? beaconWord : noWord),
  }

  return ({ method, params }: RpcCall, manners: Manners): Answer => {
    const branch = branches[manners.branch] ?? branches.main
    const answer = methods[method]
    return answer === undefined
      ? refusal(`the method ${method} does not exist`, -32_601)
      : answer(branch, params, manners)
  }
}

export type SyntheticNode = ReturnType<typeof createNode>
