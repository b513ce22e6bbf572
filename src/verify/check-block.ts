import type { BlockNumber, Hash, UnixSeconds } from '../domain/units.ts'
import { type BlockEvidence, readEvidence } from './block-evidence.ts'
import { type Check, compareTexts, withoutEvidence } from './tier.ts'
import type { VerifierNode } from './verifier-node.ts'

/** The block that a record is valid as of, as the service publishes it. */
export type PublishedBlock = {
  readonly block: BlockNumber
  readonly hash: Hash
  /** Null where the service publishes none. */
  readonly ts: UnixSeconds | null
}

/** State tier: the published hash is that of the node's own block of this number. */
const checkCanonical = async (node: VerifierNode, published: PublishedBlock): Promise<Check> => {
  const of = { tier: 'state', subject: published.hash, field: 'block hash' } as const
  const block = await node.readBlock(published.block)
  if (!block.ok) return withoutEvidence(of, block.fault, published.hash)
  const proved = typeof block.value.hash === 'string' ? block.value.hash.toLowerCase() : null
  const reason = `block ${published.block} of the node's chain has another hash`
  return compareTexts(of, { published: published.hash, proved }, reason)
}

const checkHeader = ({ header }: BlockEvidence, published: PublishedBlock): readonly Check[] => {
  const compare = (field: string, stated: number, proved: number): Check =>
    compareTexts(
      { tier: 'proof', subject: published.hash, field },
      { published: String(stated), proved: String(proved) },
      'the header with this hash has another value',
    )
  return [
    compare('block number', published.block, header.block),
    ...(published.ts === null ? [] : [compare('block time', published.ts, header.ts)]),
  ]
}

/**
 * Proves the header of the published block: everything else is proved from it. `evidence` is null
 * if the node does not know the block, or states fields that do not hash to its hash.
 */
export const checkBlock = async (
  node: VerifierNode,
  published: PublishedBlock,
): Promise<{ readonly evidence: BlockEvidence | null; readonly checks: readonly Check[] }> => {
  const canonical = await checkCanonical(node, published)
  const evidence = await readEvidence(node, published.hash)
  const of = { tier: 'proof', subject: published.hash, field: 'header' } as const
  if (!evidence.ok) {
    return { evidence: null, checks: [canonical, withoutEvidence(of, evidence.fault)] }
  }
  return {
    evidence: evidence.value,
    checks: [canonical, ...checkHeader(evidence.value, published)],
  }
}
