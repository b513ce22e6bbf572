import type { ChainLog } from '../../src/domain/chain/log.ts'
import type { Address, Hash, Hex } from '../../src/domain/units.ts'
import type { RpcCall } from '../../src/rpc/json-rpc.ts'
import { sampleHash } from '../support/domain/sample-chain.ts'
import { blockAt, firstBlock, logsOf, type SimBlock, type SimChain } from './sim-chain.ts'
import type { Contracts } from './sim-contracts.ts'

export type NodeAnswer =
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string } }

/** How a node sees the chain, and where it is wrong; the schedule changes it as it goes. */
export type NodeManners = {
  chainId: number
  /** Blocks of the chain that it has not seen. */
  lag: number
  /** A block of perhaps another branch that it takes for the head. */
  stuckAt: SimBlock | null
  finality: 'known' | 'missing' | 'ahead'
  /** What it says of a range longer than `rangeBlocks`, `{n}` being that number. */
  rangeText: string
  rangeBlocks: number
  /** Logs in one answer; more are refused. */
  logsMax: number
  /** Logs in one answer; it omits the rest without an error. */
  cutAt: number
  /** An error for every so-manieth contract call, whatever the contract. */
  refusal: { readonly every: number; readonly code: number; readonly message: string } | null
  /** What it says of state more than so many blocks old. */
  stateBlocks: number
  /** How it answers for a block that it does not know. */
  ignorance: 'null' | 'error'
  /** Of a log: the block's time, nothing, zero, or that time in milliseconds. */
  logTimes: 'right' | 'absent' | 'zero' | 'milliseconds'
  lie: 'none' | 'twice' | 'unordered' | 'removed' | 'missing' | 'pruned'
}

export const honestManners = (chainId: number): NodeManners => ({
  chainId,
  lag: 0,
  stuckAt: null,
  finality: 'known',
  rangeText: '',
  rangeBlocks: Number.POSITIVE_INFINITY,
  logsMax: Number.POSITIVE_INFINITY,
  cutAt: Number.POSITIVE_INFINITY,
  refusal: null,
  stateBlocks: Number.POSITIVE_INFINITY,
  ignorance: 'null',
  logTimes: 'right',
  lie: 'none',
})

const noWord: Hash = `0x${'0'.repeat(64)}`
const quantity = (value: number): Hex => `0x${value.toString(16)}`
const refusal = (message: string, code = -32_000): NodeAnswer => ({ error: { code, message } })

const headerOf = ({ anchor, parentHash }: SimBlock): Record<string, unknown> => ({
  number: quantity(anchor.block),
  hash: anchor.hash,
  parentHash,
  timestamp: quantity(anchor.ts),
  transactions: [],
})

const foreignHash = (hash: Hash): Hash => hash.replaceAll('b', 'd') as Hash

/** Another chain's block of the same number. */
const foreign = ({ anchor, parentHash, ...rest }: SimBlock): SimBlock => ({
  ...rest,
  anchor: { ...anchor, hash: foreignHash(anchor.hash) },
  parentHash: foreignHash(parentHash),
})

/** Another chain has contracts at the same addresses, to which other things happened. */
const foreignLogs = (logs: readonly ChainLog[]): readonly ChainLog[] =>
  logs
    .filter(({ block, logIndex }) => (block + logIndex) % 2 === 0)
    .map((log) => ({ ...log, blockHash: foreignHash(log.blockHash) }))

const statedTime = (ts: number, manner: NodeManners['logTimes']): Record<string, unknown> => {
  if (manner === 'absent') return {}
  const timestamp = { right: ts, zero: 0, milliseconds: ts * 1000 }[manner]
  return { blockTimestamp: quantity(timestamp) }
}

const jsonOf = (log: ChainLog, manner: NodeManners['logTimes']): Record<string, unknown> => ({
  address: log.address,
  topics: log.topics,
  data: log.data,
  blockNumber: quantity(log.block),
  blockHash: log.blockHash,
  transactionHash: log.txHash,
  transactionIndex: quantity(log.txIndex),
  logIndex: quantity(log.logIndex),
  removed: false,
  ...statedTime(log.ts, manner),
})

type Filter = { readonly address?: readonly Address[]; readonly topics: readonly (Hash[] | null)[] }

const isWanted = (log: ChainLog, { address, topics }: Filter): boolean =>
  (address?.includes(log.address) ?? true) &&
  topics.every((any, at) => any === null || any.includes(log.topics[at] ?? '0x'))

/** A log of which the node says that it was taken back: it is nowhere on the chain. */
const takenBack = (log: Record<string, unknown>): Record<string, unknown> => ({
  ...log,
  logIndex: quantity(999),
  removed: true,
})

const answerLogs = (
  logs: readonly ChainLog[],
  { lie, logTimes }: NodeManners,
  head: SimBlock,
): readonly Record<string, unknown>[] => {
  const isForgotten = ({ block, logIndex }: ChainLog) =>
    (lie === 'missing' && (block * 7 + logIndex * 3) % 5 < 2) ||
    (lie === 'pruned' && block < head.anchor.block - 6)
  const json = logs.filter((log) => !isForgotten(log)).map((log) => jsonOf(log, logTimes))
  if (lie === 'twice') return json.flatMap((log) => [log, log])
  if (lie === 'unordered') return json.toReversed()
  const [first] = json
  return lie === 'removed' && first !== undefined ? [...json, takenBack(first)] : json
}

/** A node of the simulated chain: answers JSON-RPC calls as its manners are. */
export const createSimNode = (chain: SimChain, contracts: Contracts, chainId: number) => {
  const manners = honestManners(chainId)
  let calls = 0
  const isForeign = (): boolean => manners.chainId !== chainId

  /** No node stays on a branch that what is final has ruled out. */
  const isRuledOut = (at: SimBlock): boolean => {
    const block = Math.min(chain.finalBlock() ?? firstBlock, at.anchor.block)
    return blockAt(at, block)?.anchor.hash !== chain.anchor(block)?.hash
  }

  const head = (): SimBlock => {
    const { stuckAt, lag } = manners
    if (stuckAt !== null && !isRuledOut(stuckAt)) return stuckAt
    const at = Math.max(firstBlock, chain.head() - lag)
    return blockAt(chain.headBlock(), at) ?? chain.headBlock()
  }

  const unknownBlock = (): NodeAnswer =>
    manners.ignorance === 'null' ? { result: null } : refusal('header not found')

  const answerHeader = (block: SimBlock): NodeAnswer => ({
    result: headerOf(isForeign() ? foreign(block) : block),
  })

  const finalHeader = (): NodeAnswer => {
    const { finality } = manners
    if (finality === 'missing') return refusal("invalid argument: unknown tag 'finalized'", -32_602)
    const known = chain.viewOf(head).finalBlock()
    if (known === null) return { result: null }
    // Ahead: it names a block that other nodes have and that it does not show as its latest.
    const isAhead = finality === 'ahead' && chain.head() > head().anchor.block
    const block = isAhead ? chain.headBlock() : blockAt(head(), known)
    return block === undefined ? { result: null } : answerHeader(block)
  }

  const headerAt = (tag: string): NodeAnswer => {
    if (tag === 'finalized') return finalHeader()
    const number = tag === 'latest' ? head().anchor.block : Number(tag)
    const before = {
      number: quantity(number),
      hash: sampleHash(number),
      parentHash: `0x${'0'.repeat(64)}`,
    }
    if (number < firstBlock) return { result: { ...before, timestamp: '0x1', transactions: [] } }
    const block = blockAt(head(), number)
    return block === undefined ? unknownBlock() : answerHeader(block)
  }

  const logs = ({ fromBlock, toBlock, ...filter }: Filter & Record<string, unknown>) => {
    const [from, to] = [Number(fromBlock), Number(toBlock)]
    const blocks = to - from + 1
    const { rangeBlocks, rangeText, logsMax } = manners
    if (blocks > rangeBlocks) return refusal(rangeText.replaceAll('{n}', String(rangeBlocks)))
    const found = logsOf(head(), from, to).filter((log) => isWanted(log, filter))
    if (found.length > logsMax && blocks > 1) {
      return refusal(`query returned more than ${logsMax} results`, -32_005)
    }
    const whole = isForeign() ? foreignLogs(found) : found
    return { result: answerLogs(whole.slice(0, manners.cutAt), manners, head()) }
  }

  const call = ({ to, data }: { to: Address; data: Hex }, tag: string): NodeAnswer => {
    calls += 1
    const { refusal: refused } = manners
    if (refused !== null && calls % refused.every === 0)
      return refusal(refused.message, refused.code)
    const number = tag === 'latest' ? head().anchor.block : Number(tag)
    const block = blockAt(head(), number)
    if (block === undefined) return refusal('header not found')
    if (head().anchor.block - number > manners.stateBlocks) return refusal('missing trie node 0xab')
    // Where another chain has no contract a call returns nothing.
    if (isForeign()) return { result: '0x' }
    const result = contracts.call(to, data, block)
    return result.ok ? { result: result.data } : refusal('execution reverted', 3)
  }

  return {
    manners,
    head,
    answer: ({ method, params }: RpcCall): NodeAnswer => {
      const [first, second] = params as [never, never]
      if (method === 'eth_chainId') return { result: quantity(manners.chainId) }
      if (method === 'eth_getBlockByNumber') return headerAt(String(first))
      if (method === 'eth_getLogs') return logs(first)
      if (method === 'eth_call') return call(first, String(second))
      if (method === 'eth_getStorageAt') {
        return { result: isForeign() ? noWord : contracts.storageAt(first, second) }
      }
      return refusal(`the method ${method} does not exist`, -32_601)
    },
  }
}

export type SimNode = ReturnType<typeof createSimNode>
