import type { Outcome } from '../../domain/outcome.ts'
import type { BlockNumber, Hash } from '../../domain/units.ts'
import { type BlockEvidence, type EvidenceFault, readEvidence } from '../block-evidence.ts'
import { checkBlock } from '../check-block.ts'
import type { RecordBlock } from '../service/published-record.ts'
import { type Check, compareTexts, unchecked, withoutEvidence } from '../tier.ts'
import type { VerifierNode } from '../verifier-node.ts'

/** The block of a record: without evidence only what needs no proved header is checked. */
export type OpenedBlock = {
  readonly at: { readonly block: BlockNumber; readonly hash: Hash } | null
  readonly evidence: BlockEvidence | null
  readonly checks: readonly Check[]
}

/** Reads each block once, however many pools are checked at it. */
export type Blocks = {
  readonly open: (at: RecordBlock) => Promise<OpenedBlock>
  /** Another block of the node's chain, whose hash the service does not publish. */
  readonly evidenceAt: (block: BlockNumber) => Promise<Outcome<BlockEvidence, EvidenceFault>>
}

/** A busy pool has swaps in so many of the blocks that several pools share. */
const blocksKept = 256

const remember = <Key, Value>(read: (key: Key) => Value): ((key: Key) => Value) => {
  const kept = new Map<Key, Value>()
  return (key) => {
    const found = kept.get(key)
    if (found !== undefined) return found
    const value = read(key)
    kept.set(key, value)
    const [oldest] = kept.keys()
    if (kept.size > blocksKept && oldest !== undefined) kept.delete(oldest)
    return value
  }
}

const openByNumber = async (
  { block, ts }: RecordBlock,
  evidence: Outcome<BlockEvidence, EvidenceFault>,
): Promise<OpenedBlock> => {
  const of = { tier: 'proof', subject: String(block) } as const
  if (!evidence.ok) {
    const check = withoutEvidence({ ...of, field: 'header' }, evidence.fault)
    return { at: null, evidence: null, checks: [check] }
  }
  const { header } = evidence.value
  const hash = unchecked(
    { tier: 'state', subject: String(block), field: 'block hash' },
    'the service publishes no hash of this block',
  )
  const number = compareTexts(
    { ...of, field: 'block number' },
    { published: String(block), proved: String(header.block) },
    'the header has another number',
  )
  const time = compareTexts(
    { ...of, field: 'block time' },
    { published: String(ts), proved: String(header.ts) },
    'the header has another time',
  )
  return {
    at: { block, hash: header.hash },
    evidence: evidence.value,
    checks: [hash, number, ...(ts === null ? [] : [time])],
  }
}

export const createBlocks = (node: VerifierNode): Blocks => {
  const evidenceAt = remember((block: BlockNumber) => readEvidence(node, block))
  const evidenceOf = async (at: RecordBlock): Promise<OpenedBlock> => {
    const { block, hash, ts } = at
    if (hash === null) return openByNumber(at, await evidenceAt(block))
    const { evidence, checks } = await checkBlock(node, { block, hash, ts })
    return { at: { block, hash }, evidence, checks }
  }
  const openByKey = remember((key: string) => evidenceOf(JSON.parse(key) as RecordBlock))
  return {
    open: ({ block, hash, ts }) => openByKey(JSON.stringify({ block, hash, ts })),
    evidenceAt,
  }
}
