import type { Address, Hex } from '../../../src/domain/units.ts'
import type { RpcCall } from '../../../src/rpc/json-rpc.ts'
import { answerCalls, type BehaviourOf } from './fake-contracts.ts'
import { type FakeNode, startFakeNode } from './fake-node.ts'

type Filter = {
  readonly fromBlock: Hex
  readonly toBlock: Hex
  readonly address?: readonly Address[]
  readonly topics: readonly (readonly Hex[] | null)[]
}

/** The logs that a node returns for the filter of a call. */
const matching = (logs: readonly Record<string, unknown>[], { params }: RpcCall) => {
  const { fromBlock, toBlock, address, topics } = params[0] as Filter
  return logs.filter(
    (log) =>
      Number(log.blockNumber) >= Number(fromBlock) &&
      Number(log.blockNumber) <= Number(toBlock) &&
      (address?.includes(log.address as Address) ?? true) &&
      topics.every((wanted, at) => wanted?.includes((log.topics as Hex[])[at] as Hex) ?? true),
  )
}

/** A node at some block of a real chain, with these logs and contracts and no others. */
export const startRecordedNode = async (chain: {
  readonly chainId: number
  readonly head: number
  readonly logs: readonly Record<string, unknown>[]
  readonly behaviourOf: BehaviourOf
}): Promise<FakeNode> => {
  const { chainId, head, logs, behaviourOf } = chain
  const node = await startFakeNode()
  Object.assign(node, { chainId, head, finalized: head - 600 })
  const answerCall = answerCalls(behaviourOf)
  node.answer = (call) => {
    if (call.method === 'eth_getLogs') return { result: matching(logs, call) }
    return answerCall(call)
  }
  return node
}
