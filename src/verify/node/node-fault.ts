import { failure } from '../../domain/outcome.ts'
import type { BlockNumber } from '../../domain/units.ts'
import type { RpcCallFault } from '../../rpc/classify-error.ts'

/**
 * Why the node did not answer a question. `no-method`, `no-state` and `no-block` are lasting: the
 * checks that need the answer cannot run on this node. `reverted` is the contract's answer.
 */
export type NodeFault = {
  readonly kind:
    | 'no-method'
    | 'no-state'
    | 'no-block'
    | 'wrong-chain'
    | 'reverted'
    | 'refused'
    | 'unreachable'
  /** One sentence without a full stop, in lower case. */
  readonly reason: string
}

export const nodeFault = (
  kind: NodeFault['kind'],
  reason: string,
): { readonly ok: false; readonly fault: NodeFault } => failure({ kind, reason })

/**
 * Go clients: "the method eth_x does not exist/is not available"; reth, anvil: "Method not found";
 * Nethermind: "Method eth_x is not supported"; Alchemy: "Unsupported method: eth_x on ...".
 */
const noMethodPatterns = [
  /\bmethod\b.{0,80}(?:not (?:found|available|supported|allowed|exist)|does not exist)/i,
  /unsupported method|\bmethod\b.{0,80}is disabled/i,
]

/**
 * Texts of a node without the state that the indexer's transport does not know, because it asks for
 * no proofs; reth's window: github.com/paradigmxyz/reth/issues/14952.
 */
const noStatePattern =
  /proof window|block (?:is )?too old|state.{0,80}(?:unavailable|missing|not available)/i

/** What was asked, for the sentence. */
export type Question = { readonly method: string; readonly block: BlockNumber | null }

const noStateReason = (block: BlockNumber | null): string =>
  block === null
    ? 'the node keeps no state of this block'
    : `the node keeps no state of block ${block}`

export const toNodeFault = (
  fault: RpcCallFault,
  { method, block }: Question,
): { readonly ok: false; readonly fault: NodeFault } => {
  const { kind, detail } = fault
  if (kind === 'reverted') return nodeFault('reverted', `the contract reverted ${method}`)
  if (noMethodPatterns.some((pattern) => pattern.test(detail))) {
    return nodeFault('no-method', `the node has no ${method}`)
  }
  if (kind === 'behind' || noStatePattern.test(detail)) {
    return nodeFault('no-state', noStateReason(block))
  }
  if (kind === 'unreachable' || kind === 'timeout' || kind === 'rate-limited') {
    return nodeFault('unreachable', `the node does not answer ${method}: ${detail}`)
  }
  return nodeFault('refused', `the node refused ${method}: ${detail}`)
}
