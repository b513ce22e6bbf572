import type { ChainLog } from '../../domain/chain/log.ts'
import { type Outcome, success } from '../../domain/outcome.ts'
import type { Address, BlockNumber, Hash } from '../../domain/units.ts'
import { toQuantity } from '../../rpc/hex.ts'
import { validateLogs } from '../../rpc/validate-logs.ts'
import type { Ask } from './ask.ts'
import { type NodeFault, nodeFault, toNodeFault } from './node-fault.ts'

/** All logs of one contract between two blocks, both included; `topics[1]` of v4 is a pool. */
export type LogQuestion = {
  readonly address: Address
  /** First topics, any of them; then those of the second place. */
  readonly topics: readonly (readonly Hash[])[]
  readonly fromBlock: BlockNumber
  readonly toBlock: BlockNumber
}

export type ReadLogs = (question: LogQuestion) => Promise<Outcome<readonly ChainLog[], NodeFault>>

/** What public nodes allow in one request. */
const blocksMax = 10_000
const bytesMax = 64 * 1024 * 1024
const method = 'eth_getLogs'

/** Halves a range that the node refuses, as long as it has more than one block. */
export const createReadLogs = (ask: Ask): ReadLogs => {
  const readRange = async (
    question: LogQuestion,
  ): Promise<Outcome<readonly ChainLog[], NodeFault>> => {
    const { address, topics, fromBlock, toBlock } = question
    const range = { fromBlock: toQuantity(fromBlock), toBlock: toQuantity(toBlock) }
    const [answer] = await ask([{ method, params: [{ address, topics, ...range }] }], { bytesMax })
    if (answer?.ok !== true) {
      const fault = answer?.fault ?? { kind: 'malformed' as const, detail: 'no response' }
      if (fromBlock === toBlock) return toNodeFault(fault, { method, block: fromBlock })
      const middle = Math.floor((fromBlock + toBlock) / 2)
      return readBoth({ ...question, toBlock: middle }, { ...question, fromBlock: middle + 1 })
    }
    const ends = { from: fromBlock, to: toBlock }
    const logs = validateLogs(answer.value, ends, { addresses: [address], topics })
    return logs.ok ? logs : nodeFault('refused', `the node's answer to ${method}: ${logs.fault}`)
  }

  const readBoth = async (first: LogQuestion, second: LogQuestion) => {
    const one = await readRange(first)
    if (!one.ok) return one
    const other = await readRange(second)
    return other.ok ? success([...one.value, ...other.value]) : other
  }

  return async (question) => {
    const logs: ChainLog[] = []
    for (let from = question.fromBlock; from <= question.toBlock; from += blocksMax) {
      const toBlock = Math.min(from + blocksMax - 1, question.toBlock)
      const read = await readRange({ ...question, fromBlock: from, toBlock })
      if (!read.ok) return read
      logs.push(...read.value)
    }
    return success(logs)
  }
}
