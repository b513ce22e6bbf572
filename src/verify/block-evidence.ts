import { type Outcome, success } from '../domain/outcome.ts'
import type { Hash } from '../domain/units.ts'
import type { NodeFault } from './node/node-fault.ts'
import type { ProofFault } from './proof-fault.ts'
import { type ProvenHeader, proveHeader } from './prove-header.ts'
import { type ProvenLog, proveLogs } from './prove-logs.ts'
import type { VerifierNode } from './verifier-node.ts'

export type EvidenceFault = ProofFault | NodeFault

/** A block whose header is proved. Its receipts are read and proved once, when first asked for. */
export type BlockEvidence = {
  readonly header: ProvenHeader
  readonly logs: () => Promise<Outcome<readonly ProvenLog[], EvidenceFault>>
}

/** Reads the block with this hash and proves its header. */
export const readEvidence = async (
  node: VerifierNode,
  hash: Hash,
): Promise<Outcome<BlockEvidence, EvidenceFault>> => {
  const block = await node.readBlock(hash)
  if (!block.ok) return block
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
