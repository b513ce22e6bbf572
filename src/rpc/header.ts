import type { Anchor } from '../domain/chain/block-ref.ts'
import { failure, type Outcome, success } from '../domain/outcome.ts'
import type { BlockNumber, Hash } from '../domain/units.ts'
import { isRecord } from '../net/json.ts'
import type { NodeFault } from './faults.ts'
import { readHash, readQuantity, toQuantity } from './hex.ts'
import type { NodeAnswer, RpcCall } from './json-rpc.ts'

/** What of a block's header we use. */
export type Header = Anchor & { readonly parentHash: Hash }

/** Without the transactions: their hashes come all the same, and are not looked at. */
export const headerCall = (block: BlockNumber | string): RpcCall => ({
  method: 'eth_getBlockByNumber',
  params: [typeof block === 'number' ? toQuantity(block) : block, false],
})

const malformed = (what: string): { readonly ok: false; readonly fault: NodeFault } =>
  failure({ kind: 'malformed', detail: what })

/** Reads the answer to `headerCall(block)`; `null` means that the node has not seen the block. */
export const readHeader = (
  answer: NodeAnswer | undefined,
  block: BlockNumber | string,
): Outcome<Header, NodeFault> => {
  if (answer === undefined) return malformed('a header is missing')
  if (!answer.ok) return answer
  if (answer.value === null) {
    return failure({ kind: 'behind', detail: `block ${block} is not known` })
  }
  if (!isRecord(answer.value)) return malformed('a header of another form')
  const number = readQuantity(answer.value.number)
  const hash = readHash(answer.value.hash)
  const parentHash = readHash(answer.value.parentHash)
  const ts = readQuantity(answer.value.timestamp)
  if (number === null || hash === null || parentHash === null || ts === null) {
    return malformed('a header of another form')
  }
  if (typeof block === 'number' && number !== block) return malformed('the header of another block')
  return success({ block: number, hash, parentHash, ts })
}

/**
 * What goes before questions about the state after a block: only that block's header, from the same
 * node in the same request, tells of which branch the answers are.
 */
export const branchCalls = (branch: Anchor | null): readonly RpcCall[] =>
  branch === null ? [] : [headerCall(branch.block)]

/** The answers to what came after `branchCalls(branch)`, if they are of that branch. */
export const readOnBranch = (
  answers: readonly NodeAnswer[],
  branch: Anchor | null,
): Outcome<readonly NodeAnswer[], NodeFault> => {
  if (branch === null) return success(answers)
  const [first, ...rest] = answers
  const header = readHeader(first, branch.block)
  if (!header.ok) return header
  if (header.value.hash === branch.hash) return success(rest)
  return failure({ kind: 'behind', detail: `block ${branch.block} is another one there` })
}

export const anchorOf = ({ block, hash, ts }: Header): Anchor => ({ block, hash, ts })
