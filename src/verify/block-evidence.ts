import { type Outcome, success } from '../domain/outcome.ts'
import type { BlockNumber, Hash } from '../domain/units.ts'
import { readHash } from '../rpc/hex.ts'
import type { NodeFault } from './node/node-fault.ts'
import { malformedEvidence, type ProofFault } from './proof-fault.ts'
import { type ProvenHeader, proveHeader } from './prove-header.ts'
import { type ProvenLog, proveLogs } from './prove-logs.ts'
import type { VerifierNode } from './verifier-node.ts'

export type EvidenceFault = ProofFault | NodeFault

/** A block whose header is proved. Its receipts are read and proved once, when first asked for. */
export type BlockEvidence = {
  readonly header: ProvenHeader
  readonly logs: () => Promise<Outcome<readonly ProvenLog[], EvidenceFault>>
}

/**
 * Reads a block and proves its header: by its hash, or by the hash that the node states for this
 * number, whose fields must then hash to it.
 */
export const readEvidence = async (
  node: VerifierNode,
  at: Hash | BlockNumber,
): Promise<Outcome<BlockEvidence, EvidenceFault>> => {
  const block = await node.readBlock(at)
  if (!block.ok) return block
  const hash = typeof at === 'string' ? at : readHash(block.value.hash)
  if (hash === null) return malformedEvidence('the node returned a block without its hash')
  const proven = proveHeader(block.value, hash)
  if (!proven.ok) return proven
  const header = proven.value
  const readLogs = async (): Promise<Outcome<readonly ProvenLog[], EvidenceFault>> => {
    const receipts = await node.readReceipts({ ...block.value, hash })
    return receipts.ok ? proveLogs(header, receipts.value) : receipts
  }
  let logs: ReturnType<typeof readLogs> | null = null
  return success({
    header,
    logs: () => {
      logs ??= readLogs()
      return logs
    },
  })
}
